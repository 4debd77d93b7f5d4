/** The preview of a change that the chat shows. Pure. */
import { structuredPatch } from 'diff';
import type { DiffHunk, DiffLine, DiffView } from '../../state/content';
import type { FileDiff } from '../contents';

/** Lines of a preview; the whole is a click away in the diff editor. */
const MAX_LINES = 400;
/** UTF-16 units of one line in a preview. */
const MAX_LINE_LENGTH = 1000;
/** Beyond this many units of text the change is summarised instead of compared line by line. */
const MAX_COMPARED = 2 * 1024 * 1024;
/** Edit distance after which the comparison gives up (and the change counts as a replacement). */
const MAX_EDITS = 4000;

export function diffView(ref: string, change: FileDiff): DiffView {
  const { path, oldText, oldPath, newText, line = 1 } = change;
  const kind = change.change ?? kindOf(change);
  // A moved file keeps the text that was not given.
  const isUnknown = kind === 'deleted' ? !oldText : kind === 'modified' && oldText === null;
  const { hunks, added, removed } = compare(oldText ?? '', newText);
  const preview = cut(hunks);
  return {
    ref,
    path,
    change: kind,
    ...(oldPath !== undefined && { oldPath }),
    ...(isUnknown && { oldTextUnknown: true }),
    added,
    removed,
    hunks: preview.hunks.map(hunk => (line > 1 ? { ...hunk, line: hunk.line + line - 1 } : hunk)),
    truncated: preview.truncated,
  };
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
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return replacement(oldText, newText);
  let added = 0;
  let removed = 0;
  const hunks = patch.hunks.map(hunk => {
    const lines = hunk.lines.flatMap(toLine);
    added += lines.filter(line => line.sign === '+').length;
    removed += lines.filter(line => line.sign === '-').length;
    return { line: hunk.newLines === 0 ? hunk.oldStart : hunk.newStart, lines };
  });
  return { hunks, added, removed };
}

/** Patch lines begin with their sign; `\ No newline at end of file` is not a line of the text. */
function toLine(line: string): DiffLine[] {
  const sign = line[0];
  if (sign !== ' ' && sign !== '+' && sign !== '-') return [];
  return [{ sign, text: line.slice(1).replace(/\r$/, '') }];
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
