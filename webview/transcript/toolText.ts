import * as l10n from '@vscode/l10n';
import type { Terminal, ToolCallPart, ToolLocation } from '../../src/session/state/state';
import { baseName, folderOf } from './words';

/** The one line of a tool call: `Read` **retry.ts** `lines 1 to 80`. */
export interface ToolText {
  readonly icon: string;
  readonly before?: string;
  readonly object: string;
  readonly after?: string;
  /** The object is code: a command. */
  readonly mono?: boolean;
}

const ICONS: Readonly<Record<string, string>> = {
  read: 'eye',
  search: 'search',
  edit: 'edit',
  delete: 'trash',
  move: 'file-symlink-file',
  execute: 'terminal',
  fetch: 'globe',
  think: 'lightbulb',
  switch_mode: 'arrow-swap',
};

export function toolIcon(kind: string): string {
  return Object.hasOwn(ICONS, kind) ? (ICONS[kind] ?? 'tools') : 'tools';
}

/** What the call does, in the agent's words unless the protocol tells it better. */
export function toolText(part: ToolCallPart, cwd: string, terminal?: Terminal): ToolText {
  const icon = toolIcon(part.toolKind);
  const done = part.status === 'completed';
  const place = part.locations[0];
  switch (part.toolKind) {
    case 'read':
      if (place && mentions(part.title, place)) {
        const before = done
          ? l10n.t('Read')
          : part.status === 'running'
            ? l10n.t('Reading')
            : l10n.t('Read');
        return { icon, before, object: baseName(place.path), after: lineWords(place) };
      }
      break;
    case 'edit': {
      const path = editedPath(part);
      if (path) return { icon, object: baseName(path), after: folderOf(path, cwd) };
      break;
    }
    case 'delete':
      if (place && mentions(part.title, place)) {
        return {
          icon,
          before: done ? l10n.t('Deleted') : l10n.t('Delete'),
          object: baseName(place.path),
        };
      }
      break;
    case 'execute':
      return { icon, object: commandOf(part, terminal) ?? titleOf(part), mono: true };
    default:
      break;
  }
  const title = titleOf(part);
  const verb = VERB.exec(title);
  if (verb?.[1] && verb[2]) {
    return { icon, before: done ? past(verb[1]) : verb[1], object: verb[2] };
  }
  return { icon, object: title };
}

/** Its title, or what it is where an agent gives none. */
function titleOf({ title, toolKind }: ToolCallPart): string {
  const plain = plainTitle(title);
  if (plain !== '') return plain;
  switch (toolKind) {
    case 'read':
      return l10n.t('Read');
    case 'edit':
      return l10n.t('Edit');
    case 'delete':
      return l10n.t('Delete');
    case 'move':
      return l10n.t('Move');
    case 'search':
      return l10n.t('Search');
    case 'execute':
      return l10n.t('Command');
    case 'fetch':
      return l10n.t('Fetch');
    default:
      return l10n.t('Tool call');
  }
}

/** The verb that agents begin their English titles with: it is shown quiet, what follows is the object. */
const VERB =
  /^((?:Read|Search|Fetch|Mov|Delet|Remov|List|Find|Found|Writ|Edit|Creat|Open|Run|Glob|Grep|Quer|Updat|Switch)(?:e|es|ed|ing|ning|ied|y|ched|ching)?(?: (?:for|to|in|the web for))?) (\S.*)$/;

/** A call that is done says so, as those do whose words are ours. */
function past(verb: string): string {
  if (/^Search(?:ing)?(?: for)?$/.test(verb)) return l10n.t('Searched');
  if (/^Fetch(?:ing)?$/.test(verb)) return l10n.t('Fetched');
  return verb;
}

/** The command line of an `execute` call, where one is told. */
export function commandOf(part: ToolCallPart, terminal?: Terminal): string | undefined {
  return commandInput(part) ?? (terminal?.command || undefined);
}

/** `command` of the raw input: agents send a string, an argument list, or a command and arguments. */
export function commandInput(part: ToolCallPart): string | undefined {
  const input = rawObject(part);
  const command = input?.['command'] ?? input?.['cmd'];
  if (typeof command === 'string' && command.trim() !== '') {
    const args = input?.['args'];
    return Array.isArray(args) ? [command, ...args.map(quoted)].join(' ') : command;
  }
  if (Array.isArray(command) && command.length > 0) {
    const words = command.map(String);
    const isShell =
      words.length === 3 &&
      /(?:^|[\\/])(?:ba|z|da)?sh$/.test(words[0] ?? '') &&
      /^-\w*c$/.test(words[1] ?? '');
    return isShell ? words[2] : command.map(quoted).join(' ');
  }
  return undefined;
}

function rawObject(part: ToolCallPart): Readonly<Record<string, unknown>> | undefined {
  if (!part.rawInput || part.rawInput.truncated) return undefined;
  try {
    const value: unknown = JSON.parse(part.rawInput.text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function quoted(word: unknown): string {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Titles are often a command in backticks. */
export function plainTitle(title: string): string {
  const code = /^`+([^`]+)`+$/.exec(title.trim());
  return (code?.[1] ?? title).trim().split('\n', 1)[0] ?? '';
}

export function editedPath(part: ToolCallPart): string | undefined {
  const diff = part.content.find(content => content.kind === 'diff');
  return diff?.diff.path ?? part.locations[0]?.path;
}

export function lineWords(place: ToolLocation): string {
  return place.line === undefined ? '' : l10n.t('line {0}', place.line);
}

function mentions(title: string, place: ToolLocation): boolean {
  return (
    title.includes(baseName(place.path)) ||
    /^(?:read|delet|remov)\w*(?: files?)?$/i.test(title.trim())
  );
}

/** What the working line says while this call runs. */
export function workingOn(part: ToolCallPart, cwd: string, terminal?: Terminal): string {
  const text = toolText(part, cwd, terminal);
  switch (part.toolKind) {
    case 'execute':
      return l10n.t('Running {0}', text.object);
    case 'edit':
      return editedPath(part) ? l10n.t('Editing {0}', text.object) : text.object;
    default:
      return [text.before, text.object].filter(Boolean).join(' ');
  }
}
