import * as vscode from 'vscode';
import { userValues } from './userValue';

export interface AgentEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Adds an entry to `parley.agents` of the user. One of that name is replaced. */
export async function addAgent(name: string, entry: AgentEntry): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('parley');
  const { local } = userValues(configuration.inspect('agents'));
  const before = typeof local === 'object' && local !== null ? local : {};
  const agents = { ...before, [name]: entry };
  await configuration.update('agents', agents, vscode.ConfigurationTarget.Global);
}
