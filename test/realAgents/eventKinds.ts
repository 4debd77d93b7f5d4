/** Which kinds of events the task of each agent yields: `events.json`, and the table in `docs/events.md`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { SessionAction } from '../../src/session/state/actions';
import { AGENTS, type AgentKey } from './manifest';

const FILE = path.resolve('test/realAgents/events.json');

/** In the order of the table. */
export const EVENT_KINDS = [
  'words',
  'a thought',
  'a tool call',
  'its input',
  'its result',
  'files that it is about',
  'a diff',
  'a command with its output',
  'how the command ended',
  'a request for permission',
  'a plan',
  'slash commands',
  'a title',
  'the context in use',
  'the cost',
  'the tokens of a turn',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** What an action of the agent's says. */
export function kindsOf(action: SessionAction): readonly EventKind[] {
  switch (action.type) {
    case 'chunkReceived':
      if (action.stream === 'user') return [];
      return [action.stream === 'text' ? 'words' : 'a thought'];
    case 'toolCallChanged': {
      const content = action.content ?? [];
      return [
        'a tool call',
        ...(action.rawInput ? ['its input' as const] : []),
        ...(action.rawOutput || content.some(({ kind }) => kind === 'block')
          ? ['its result' as const]
          : []),
        ...(action.locations?.length ? ['files that it is about' as const] : []),
        ...(content.some(({ kind }) => kind === 'diff') ? ['a diff' as const] : []),
      ];
    }
    case 'terminalOutput':
      return ['a command with its output'];
    case 'terminalExited':
      return ['how the command ended'];
    case 'permissionRequested':
      return ['a request for permission'];
    case 'planChanged':
    case 'namedPlanChanged':
      return ['a plan'];
    case 'commandsChanged':
      return action.commands.length > 0 ? ['slash commands'] : [];
    case 'titleChanged':
      return action.byUser || action.title === undefined ? [] : ['a title'];
    case 'usageChanged':
      return [
        ...(action.usage.used !== undefined ? ['the context in use' as const] : []),
        ...(action.usage.cost ? ['the cost' as const] : []),
      ];
    case 'turnEnded':
      return action.tokens !== undefined ? ['the tokens of a turn'] : [];
    default:
      return [];
  }
}

/** A column of the table. */
export function columnOf(key: AgentKey, version: 'v1' | 'v2'): string {
  const { title, type } = AGENTS[key];
  return type ? `${title}, without an adapter` : `${title}, ACP ${version}`;
}

export function readEvents(): Readonly<Record<string, readonly string[]>> {
  return existsSync(FILE)
    ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, readonly string[]>)
    : {};
}

export function recordEvents(column: string, kinds: ReadonlySet<string>): void {
  const all = { ...readEvents(), [column]: EVENT_KINDS.filter(kind => kinds.has(kind)) };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
