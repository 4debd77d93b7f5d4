/** Agents as the user configures them (`parley.agents`), and the built-in one. */
import * as l10n from '@vscode/l10n';
import { isRecord } from '../base/isRecord';
import { shownUrl } from '../base/shownUrl';
import type { Problem } from '../session/state/state';
import type { Playback } from './backends/recording/playback';
import { formatCommandLine } from './process/commandLine';
import type { Env } from './process/environmentVariables';
import { badConfiguration } from './problems';
import { remoteUrlProblem } from './remoteUrl';

/** Which version of ACP to speak: `auto` asks for the latest and takes what the agent answers. */
export type Protocol = 'auto' | 'v1' | 'v2';

const PROTOCOLS: readonly Protocol[] = ['auto', 'v1', 'v2'];

/** What all agents have that are programs on this machine. */
export interface ProgramAgent {
  readonly name: string;
  /** As configured, like all texts here: variables are expanded when the agent starts. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
  /** Where it starts; by default the workspace folder, or the user's home. */
  readonly cwd?: string;
  /** `editor`: started without asking the login shell, for commands that are certain to be there. */
  readonly environment: 'loginShell' | 'editor';
}

/** A program that speaks ACP on stdin and stdout. */
export interface StdioAgent extends ProgramAgent {
  readonly kind: 'stdio';
  /** By default `auto`. */
  readonly protocol?: Protocol;
}

/** Claude Code itself, without an adapter. */
export interface ClaudeCodeAgent extends ProgramAgent {
  readonly kind: 'claude';
}

/** Codex itself, without an adapter. */
export interface CodexAgent extends ProgramAgent {
  readonly kind: 'codex';
}

/** A server that speaks ACP: over a WebSocket (`ws:`, `wss:`) or over streamable HTTP (`http:`, `https:`). */
export interface RemoteAgent {
  readonly kind: 'remote';
  readonly name: string;
  readonly url: string;
  /** Of every HTTP request that is made. */
  readonly headers: Readonly<Record<string, string>>;
  /** By default `auto`. */
  readonly protocol?: Protocol;
}

/** A recording that is played: of no setting. */
export interface RecordedAgent {
  readonly kind: 'recording';
  readonly name: string;
  readonly playback: Playback;
}

/** An entry that cannot be started as it stands. */
export interface UnusableAgent {
  readonly kind: 'unusable';
  readonly name: string;
  readonly problem: Problem;
}

/** An agent that a backend can start. */
export type UsableAgent = StdioAgent | ClaudeCodeAgent | CodexAgent | RemoteAgent | RecordedAgent;

export type AgentDefinition = UsableAgent | UnusableAgent;

/** Whether the agent is a program on this machine. */
export function isProgram(
  definition: AgentDefinition,
): definition is StdioAgent | ClaudeCodeAgent | CodexAgent {
  return ['stdio', 'claude', 'codex'].includes(definition.kind);
}

/**
 * Reads `parley.agents`. Never throws: what is wrong with an entry makes it an `UnusableAgent`. Entries of
 * Zed's `agent_servers` are accepted as they are; fields that mean nothing here are ignored.
 */
export function parseAgents(setting: unknown): AgentDefinition[] {
  if (setting === undefined || setting === null) return [];
  if (!isRecord(setting)) {
    const detail = l10n.t('The setting must be an object with one entry for each agent.');
    return [unusable('parley.agents', detail)];
  }
  return Object.entries(setting).map(([name, entry]) => {
    const parsed = parseAgent(name, entry);
    return typeof parsed === 'string' ? unusable(name, parsed) : parsed;
  });
}

/**
 * The agent that ships with Parley: `script` run by the Node that runs Parley.
 * @param dataFolder where it keeps its sessions, so that chats can be opened again.
 */
export function builtInAgent(name: string, script: string, dataFolder: string): StdioAgent {
  return {
    kind: 'stdio',
    name,
    command: process.execPath,
    args: [script],
    // In the desktop editor, execPath is the editor itself.
    env: { ELECTRON_RUN_AS_NODE: '1', PARLEY_DEMO_DATA: dataFolder },
    environment: 'editor',
  };
}

/** What starts the agent, on one line for the user: a command line or an address. */
export function describeAgent(definition: UsableAgent): string {
  switch (definition.kind) {
    case 'stdio':
    case 'claude':
    case 'codex':
      return formatCommandLine(definition.command, definition.args);
    case 'remote':
      return shownUrl(definition.url);
    case 'recording':
      return definition.name;
  }
}

/** Texts of the configuration that may hold secrets as they stand. */
export function configuredSecrets(definition: AgentDefinition): readonly string[] {
  switch (definition.kind) {
    case 'stdio':
    case 'claude':
    case 'codex':
      return Object.values(definition.env);
    case 'remote':
      return Object.values(definition.headers);
    case 'recording':
    case 'unusable':
      return [];
  }
}

/** @returns what is wrong, for an entry that cannot be used. */
function parseAgent(name: string, entry: unknown): UsableAgent | string {
  if (!isRecord(entry)) {
    return l10n.t('The entry must be an object with a "command" or a "url".');
  }
  const { type, command, url } = entry;
  if (type === 'claude' || type === 'codex') return parseProduct(type, name, entry);
  if (type !== undefined && type !== 'custom') {
    return l10n.t('"type" must be "custom", "claude" or "codex", not {0}.', JSON.stringify(type));
  }
  const protocol = entry['protocol'] ?? 'auto';
  if (!isProtocol(protocol)) {
    return l10n.t('"protocol" must be "auto", "v1" or "v2".');
  }
  const isRemote = url !== undefined && url !== null;
  if (isRemote && command !== undefined && command !== null) {
    return l10n.t('"command" and "url" are both set. Remove one of them.');
  }
  const parsed = isRemote ? parseRemote(name, entry) : parseStdio(name, entry);
  return typeof parsed === 'string' || protocol === 'auto' ? parsed : { ...parsed, protocol };
}

function isProtocol(value: unknown): value is Protocol {
  return PROTOCOLS.some(known => known === value);
}

/** @param kind also the name of its command */
function parseProduct(
  kind: 'claude' | 'codex',
  name: string,
  entry: Readonly<Record<string, unknown>>,
): ClaudeCodeAgent | CodexAgent | string {
  if (entry['url'] != null) {
    return l10n.t('"url" cannot be used with "type": "{0}". Remove it.', kind);
  }
  const program = parseProgram(name, { ...entry, command: entry['command'] ?? kind });
  return typeof program === 'string' ? program : { kind, ...program };
}

function parseStdio(name: string, entry: Readonly<Record<string, unknown>>): StdioAgent | string {
  const program = parseProgram(name, entry);
  return typeof program === 'string' ? program : { kind: 'stdio', ...program };
}

function parseProgram(
  name: string,
  entry: Readonly<Record<string, unknown>>,
): ProgramAgent | string {
  const { command, args = [], env = {}, cwd } = entry;
  if (typeof command !== 'string' || command.trim() === '') {
    return l10n.t('"command" is missing or is not a string.');
  }
  if (!Array.isArray(args) || !args.every(isScalar)) {
    return l10n.t('"args" must be an array of strings.');
  }
  const variables = strings('env', env);
  if (typeof variables === 'string') return variables;
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') {
    return l10n.t('"cwd" must be a string.');
  }
  return {
    name,
    command: command.trim(),
    args: args.map(String),
    env: variables,
    ...(cwd ? { cwd } : {}),
    environment: 'loginShell',
  };
}

function parseRemote(name: string, entry: Readonly<Record<string, unknown>>): RemoteAgent | string {
  const { url, headers = {} } = entry;
  if (typeof url !== 'string') return l10n.t('"url" must be a string.');
  const trimmed = url.trim();
  // What variables stand for is known when the agent starts.
  const problem = trimmed.includes('${') ? undefined : remoteUrlProblem(trimmed);
  if (problem !== undefined) return problem;
  const parsed = strings('headers', headers);
  if (typeof parsed === 'string') return parsed;
  return { kind: 'remote', name, url: trimmed, headers: parsed };
}

/** @returns what is wrong, for what is no object of strings. */
function strings(field: string, value: unknown): Readonly<Record<string, string>> | string {
  if (!isRecord(value)) return l10n.t('"{0}" must be an object with string values.', field);
  const entries = Object.entries(value);
  const bad = entries.find(([, text]) => !isScalar(text));
  if (bad) return l10n.t('"{0}": the value of {1} must be a string.', field, bad[0]);
  return Object.fromEntries(entries.map(([key, text]) => [key, String(text)]));
}

function unusable(name: string, cause: string): UnusableAgent {
  return { kind: 'unusable', name, problem: badConfiguration(name, cause) };
}

/** Numbers and booleans are what people write for strings like `PORT: 8080`. */
function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
