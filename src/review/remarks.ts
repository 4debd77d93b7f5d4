/** What the user has to say about changes of an agent, as one prompt. Pure. */
import * as l10n from '@vscode/l10n';
import { linesOf } from './core/lines';
import { endingsOnly } from './core/lineEndings';
import type { Hunk, LineRange, PendingFile } from './model';

/** The change that a remark is about, as it was when the remark was made. */
export interface RemarkedChange {
  /** Absolute. */
  readonly path: string;
  readonly hunkId: string;
  /** Of the file as it is now; without a line, those lines were removed behind line `start`. */
  readonly lines: LineRange;
  /** The hunk as a patch shows it: lines that begin with `-` or `+`, without line ends. */
  readonly patch: readonly string[];
  /** The chat whose agent made the last of it. */
  readonly chatId?: string;
}

export interface Remark {
  readonly change: RemarkedChange;
  readonly text: string;
}

/** Remarks that outlive the window, the latest; and how long one may be, in UTF-16 units. */
const MAX_KEPT = 100;
const MAX_KEPT_LENGTH = 20_000;
/** Lines of a hunk that are quoted; the agent can read the rest itself. */
const MAX_QUOTED = 60;
/** UTF-16 units of a quoted line. */
const MAX_LINE = 500;

export function remarkedChange(file: PendingFile, hunk: Hunk): RemarkedChange {
  const quote = (sign: '-' | '+', lines: readonly string[], { start, count }: LineRange) =>
    lines
      .slice(start, start + Math.min(count, MAX_QUOTED + 1))
      .map(line => `${sign}${shortened(line.replace(/\r?\n$/, ''))}`);
  const chatId = hunk.turns.at(-1)?.chatId;
  const endings = endingsOnly(file, [hunk]);
  return {
    path: file.path,
    hunkId: hunk.id,
    lines: hunk.current,
    patch:
      endings === undefined
        ? [
            ...quote('-', linesOf(file.baseline), hunk.baseline),
            ...quote('+', linesOf(file.current), hunk.current),
          ]
        : [l10n.t('(line endings only: {0})', endings)],
    ...(chatId !== undefined && { chatId }),
  };
}

/**
 * One prompt with every remark under the file, the lines and the change that it is about. Remarks about the
 * same change stand together; changes are in order of file and line.
 * @param nameOf how the prompt names a file
 */
export function remarksPrompt(
  remarks: readonly Remark[],
  nameOf: (path: string) => string,
): string {
  const changes = new Map<string, { readonly change: RemarkedChange; readonly texts: string[] }>();
  for (const { change, text } of remarks) {
    const key = JSON.stringify([change.path, change.hunkId]);
    const known = changes.get(key);
    if (known) known.texts.push(text.trim());
    else changes.set(key, { change, texts: [text.trim()] });
  }
  const ordered = [...changes.values()].sort(
    ({ change: a }, { change: b }) =>
      compare(a.path, b.path) || a.lines.start - b.lines.start || a.lines.count - b.lines.count,
  );
  return [
    remarks.length === 1
      ? l10n.t('I have a comment on your changes:')
      : l10n.t('I have comments on your changes:'),
    ...ordered.map(({ change, texts }) =>
      [
        `**${place(nameOf(change.path), change.lines)}**`,
        quoted(change.patch),
        texts.join('\n\n'),
      ].join('\n\n'),
    ),
  ].join('\n\n');
}

/** What is kept of `remarks` for the next window: plain JSON, bounded. */
export function keptRemarks(remarks: readonly Remark[]): readonly Remark[] {
  return remarks.slice(-MAX_KEPT).map(({ change, text }) => ({
    change: { ...change, patch: change.patch.slice(0, MAX_QUOTED + 1) },
    text: text.slice(0, MAX_KEPT_LENGTH),
  }));
}

/** Reads what `keptRemarks` gave. What does not look like a remark is left out. */
export function readRemarks(value: unknown): readonly Remark[] {
  return Array.isArray(value) ? value.filter(isRemark).slice(-MAX_KEPT) : [];
}

function isRemark(value: unknown): value is Remark {
  const { change, text } = (value ?? {}) as { readonly [key in keyof Remark]?: unknown };
  const { path, hunkId, lines, patch, chatId } = (change ?? {}) as {
    readonly [key in keyof RemarkedChange]?: unknown;
  };
  const { start, count } = (lines ?? {}) as { readonly [key in keyof LineRange]?: unknown };
  return (
    [text, path, hunkId].every(part => typeof part === 'string') &&
    [start, count].every(part => typeof part === 'number' && Number.isInteger(part) && part >= 0) &&
    Array.isArray(patch) &&
    patch.every(line => typeof line === 'string') &&
    (chatId === undefined || typeof chatId === 'string')
  );
}

function place(name: string, { start, count }: LineRange): string {
  if (count === 0) return l10n.t('{0}, lines removed after line {1}', name, start);
  if (count === 1) return l10n.t('{0}, line {1}', name, start + 1);
  return l10n.t('{0}, lines {1} to {2}', name, start + 1, start + count);
}

/** Fenced so that no fence inside ends it. */
function quoted(patch: readonly string[]): string {
  const runs = patch.join('\n').match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)));
  const shown = patch.slice(0, MAX_QUOTED);
  if (patch.length > shown.length) shown.push('…');
  return [`${fence}diff`, ...shown, fence].join('\n');
}

function shortened(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
