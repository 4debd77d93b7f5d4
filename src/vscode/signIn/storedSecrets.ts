import type * as vscode from 'vscode';
import type { Env } from '../../agents/process/environmentVariables';
import type { AgentSecrets } from '../../agents/signIn';

const PREFIX = 'parley.agent.';

/** Credentials of agents in VS Code's secret storage, one entry for each agent. */
export class StoredSecrets implements AgentSecrets {
  constructor(private readonly storage: vscode.SecretStorage) {}

  async get(agentName: string): Promise<Env> {
    const stored = await this.storage.get(PREFIX + agentName);
    if (stored === undefined) return {};
    return Object.fromEntries(
      Object.entries(parsed(stored)).filter((entry): entry is [string, string] => {
        return typeof entry[1] === 'string';
      }),
    );
  }

  async add(agentName: string, variables: Env): Promise<void> {
    const all = { ...(await this.get(agentName)), ...variables };
    await this.storage.store(PREFIX + agentName, JSON.stringify(all));
  }

  async forget(agentName: string): Promise<void> {
    await this.storage.delete(PREFIX + agentName);
  }
}

/** What cannot be read is as good as forgotten: the agent asks again, instead of never starting. */
function parsed(stored: string): object {
  try {
    const value: unknown = JSON.parse(stored);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
