/** The preview of a change that the chat shows. Pure. */
import { diffLines, endOf, type Change } from '../../../base/lineDiff';
import type { DiffHunk, DiffLine, DiffView } from '../../state/content';
import { atLine } from '../../state/diffLines';
import type { FileDiff } from '../contents';

/** Lines of a preview; the whole is a click away in the diff editor. */
const MAX_LINES = 400;
/** UTF-16 units of one line in a preview. */
const MAX_LINE_LENGTH = 1000;
/** Beyond this many units of text the change is summarised instead of compared line by line. */
const MAX_COMPARED = 2 * 1024 * 1024;
/** Unchanged lines around what has changed. */
const CONTEXT = 3;

export function diffView(ref: string, change: FileDiff): DiffView {
  const { path, oldText, oldPath, newText, line } = change;
  const kind = change.change ?? kindOf(change);
  // A moved file keeps the text that was not given.
  const isUnknown = kind === 'deleted' ? !oldText : kind === 'modified' && oldText === null;
  const { hunks, added, removed } = compare(oldText ?? '', newText);
  const preview = cut(hunks);
  const view: DiffView = {
    ref,
    path,
    change: kind,
    ...(oldPath !== undefined && { oldPath }),
    ...(isUnknown && { oldTextUnknown: true }),
    added,
    removed,
    ...(mayBeSnippet(change, kind) && { lineUnknown: true }),
    hunks: preview.hunks,
    truncated: preview.truncated,
  };
  return line === undefined ? view : atLine(view, line);
}

/** Agents replace the whole text of a file, or a part of it, and say not which. */
function mayBeSnippet({ oldText }: FileDiff, kind: DiffView['change']): boolean {
  return (kind === 'modified' || kind === 'moved') && oldText !== null;
}

/** What the texts alone say. An edit that leaves nothing of its text may be one of a snippet. */
function kindOf({ oldText, newText }: FileDiff): 'added' | 'modified' {
  return oldText === null || (oldText === '' && newText !== '') ? 'added' : 'modified';
}

interface Compared {
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

function compare(oldText: string, newText: string): Compared {
  if (oldText.length + newText.length > MAX_COMPARED) return replacement(oldText, newText);
  const [before, after] = [linesIn(oldText), linesIn(newText)];
  const changes = diffLines(before, after);
  const sum = (of: (change: Change) => number) => changes.reduce((all, one) => all + of(one), 0);
  return {
    hunks: nearby(changes).map(group => hunkOf(group, before, after)),
    added: sum(change => change.after.count),
    removed: sum(change => change.before.count),
  };
}

/** With their ends: a last line without one is another line. */
function linesIn(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Changes whose context touches stand in one hunk. */
function nearby(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last && change.before.start - endOf(last.before) <= 2 * CONTEXT;
    if (isNear) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(
  changes: readonly Change[],
  before: readonly string[],
  after: readonly string[],
): DiffHunk {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return { line: 1, lines: [] };
  const lead = Math.min(CONTEXT, first.before.start);
  const lines: DiffLine[] = [];
  const add = (sign: DiffLine['sign'], texts: readonly string[]) => {
    for (const text of texts) lines.push({ sign, text: text.replace(/\r?\n$/, '') });
  };
  let at = first.before.start - lead;
  for (const change of changes) {
    add(' ', before.slice(at, change.before.start));
    at = endOf(change.before);
    add('-', before.slice(change.before.start, at));
    add('+', after.slice(change.after.start, endOf(change.after)));
  }
  add(' ', before.slice(at, at + CONTEXT));
  const isEmpty = after.length === 0;
  return { line: (isEmpty ? first.before.start : first.after.start) - lead + 1, lines };
}

function replacement(oldText: string, newText: string): Compared {
  const before = splitLines(oldText);
  const after = splitLines(newText);
  const lines = [
    // One line more than is shown, so that what is left out is noticed.
    ...before.slice(0, MAX_LINES + 1).map(text => ({ sign: '-' as const, text })),
    ...after.slice(0, MAX_LINES + 1).map(text => ({ sign: '+' as const, text })),
  ];
  return { hunks: [{ line: 1, lines }], added: after.length, removed: before.length };
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function cut(hunks: readonly DiffHunk[]): {
  readonly hunks: readonly DiffHunk[];
  readonly truncated: boolean;
} {
  const kept: DiffHunk[] = [];
  let room = MAX_LINES;
  let truncated = false;
  for (const hunk of hunks) {
    if (room === 0) return { hunks: kept, truncated: true };
    const lines = hunk.lines.slice(0, room).map(line => {
      if (line.text.length <= MAX_LINE_LENGTH) return line;
      truncated = true;
      return { ...line, text: `${line.text.slice(0, MAX_LINE_LENGTH)}…` };
    });
    if (lines.length < hunk.lines.length) truncated = true;
    room -= lines.length;
    kept.push({ ...hunk, lines });
  }
  return { hunks: kept, truncated };
}
