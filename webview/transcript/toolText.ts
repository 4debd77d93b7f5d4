import * as l10n from '@vscode/l10n';
import { withoutEscapes } from '../../src/base/escapeSequences';
import {
  commandInput as readCommand,
  type CommandInput,
} from '../../src/session/state/commandInput';
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
  const { before, object, after, ...rest } = wordsOf(part, cwd, terminal);
  return {
    ...rest,
    object: withoutEscapes(object),
    ...(before !== undefined && { before: withoutEscapes(before) }),
    ...(after !== undefined && { after: withoutEscapes(after) }),
  };
}

function wordsOf(part: ToolCallPart, cwd: string, terminal?: Terminal): ToolText {
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

/** The command line of an `execute` call, where there is one. */
export function commandOf(part: ToolCallPart, terminal?: Terminal): string | undefined {
  return commandInput(part)?.line ?? (terminal?.command || undefined);
}

/** The command that the raw input names. */
export function commandInput(part: Pick<ToolCallPart, 'rawInput'>): CommandInput | undefined {
  if (!part.rawInput || part.rawInput.truncated) return undefined;
  try {
    return readCommand(JSON.parse(part.rawInput.text));
  } catch {
    return undefined;
  }
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
