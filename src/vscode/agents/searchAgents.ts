import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { CATALOG } from '../../agents/catalog/catalog';
import { findAgents } from '../../agents/catalog/findAgents';
import type { Findings } from '../../agents/catalog/findAgents';
import type { AgentOffer, FoundAgent } from '../../agents/catalog/foundAgent';
import { vscodeAgents, zedAgents, zedSettingsFiles } from '../../agents/catalog/otherClients';
import { isProgram, type AgentDefinition } from '../../agents/definitions';
import type { Env } from '../../agents/process/environmentVariables';
import { planLaunch } from '../../agents/process/launch';
import type { ProcessTracker } from '../../agents/process/processTracker';
import { userValues } from '../settings/userValue';

export interface Search {
  readonly env: Env;
  readonly processes: ProcessTracker;
  readonly known: readonly FoundAgent[];
  readonly configured: readonly AgentDefinition[];
  readonly workspaceFolder: string | undefined;
}

export interface SearchResult extends Findings {
  readonly imports: readonly AgentOffer[];
  /** Whether the commands of the configured agents are there, by name. */
  readonly there: ReadonlyMap<string, boolean>;
}

/** All that a search for agents looks at: the PATH, the settings, and those of other programs. */
export async function searchAgents(search: Search): Promise<SearchResult> {
  const { env, processes, known, configured, workspaceFolder } = search;
  const home = homedir();
  const [findings, zed] = await Promise.all([
    findAgents({ catalog: CATALOG, env, home, known, processes }),
    readFirst(zedSettingsFiles(env, home)),
  ]);
  const there = new Map<string, boolean>();
  for (const agent of configured) {
    if (!isProgram(agent)) continue;
    const plan = await planLaunch(agent, env, workspaceFolder);
    if (plan.kind === 'spec') there.set(agent.name, true);
    else if (plan.problem.kind === 'commandNotFound') there.set(agent.name, false);
  }
  return {
    ...findings,
    imports: [...(zed === undefined ? [] : zedAgents(zed)), ...ofVscode()],
    there,
  };
}

/** The user's entries: a workspace's are commands that a repository has chosen. */
function ofVscode(): AgentOffer[] {
  const inspected = vscode.workspace.getConfiguration('chat.agentHost').inspect('acpAgents');
  const { local, remote } = userValues(inspected);
  return vscodeAgents(remote ?? local);
}

async function readFirst(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}
