/** Agents as the user configures them (`parley.agents`), and the built-in one. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../session/state/state';
import type { Env } from './process/environmentVariables';
import { badConfiguration } from './problems';

export interface AgentDefinition {
  readonly name: string;
  /** As configured: variables are expanded when the agent starts. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
  /** Where it starts; by default the workspace folder, or the user's home. */
  readonly cwd?: string;
  /** `editor`: started without asking the login shell, for commands that are certain to be there. */
  readonly environment: 'loginShell' | 'editor';
  /** Why it cannot be started as it stands. */
  readonly problem?: Problem;
}

/**
 * Reads `parley.agents`. Never throws: what is wrong with an entry is told by its `problem`. Entries of
 * Zed's `agent_servers` are accepted as they are; fields that mean nothing here are ignored.
 */
export function parseAgents(setting: unknown): AgentDefinition[] {
  if (setting === undefined || setting === null) return [];
  if (!isRecord(setting)) {
    const name = 'parley.agents';
    const detail = l10n.t('The setting must be an object with one entry for each agent.');
    return [broken(name, '', detail)];
  }
  return Object.entries(setting).map(([name, entry]) => parseAgent(name, entry));
}

/**
 * The agent that ships with Parley: `script` run by the Node that runs Parley.
 * @param dataFolder where it keeps its sessions, so that chats can be taken up again.
 */
export function builtInAgent(name: string, script: string, dataFolder: string): AgentDefinition {
  return {
    name,
    command: process.execPath,
    args: [script],
    // In the desktop editor, execPath is the editor itself.
    env: { ELECTRON_RUN_AS_NODE: '1', PARLEY_DEMO_DATA: dataFolder },
    environment: 'editor',
  };
}

function parseAgent(name: string, entry: unknown): AgentDefinition {
  if (!isRecord(entry)) {
    return broken(name, '', l10n.t('The entry must be an object with a "command".'));
  }
  const { type, command, args = [], env = {}, cwd } = entry;
  if (type !== undefined && type !== 'custom') {
    return broken(
      name,
      '',
      l10n.t('"type" is {0}, but Parley knows only "custom".', JSON.stringify(type)),
    );
  }
  if (typeof command !== 'string' || command.trim() === '') {
    return broken(name, '', l10n.t('"command" is missing or is not a text.'));
  }
  if (!Array.isArray(args) || !args.every(isScalar)) {
    return broken(name, command, l10n.t('"args" must be a list of texts.'));
  }
  if (!isRecord(env)) {
    return broken(name, command, l10n.t('"env" must be an object of texts.'));
  }
  const badVariable = Object.keys(env).find(key => !isScalar(env[key]));
  if (badVariable !== undefined) {
    return broken(name, command, l10n.t('"env": the value of {0} must be a text.', badVariable));
  }
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') {
    return broken(name, command, l10n.t('"cwd" must be a text.'));
  }
  return {
    name,
    command: command.trim(),
    args: args.map(String),
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
    ...(cwd ? { cwd } : {}),
    environment: 'loginShell',
  };
}

function broken(name: string, command: string, cause: string): AgentDefinition {
  return {
    name,
    command,
    args: [],
    env: {},
    environment: 'loginShell',
    problem: badConfiguration(name, cause),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers and booleans are what people write for texts like `PORT: 8080`. */
function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
