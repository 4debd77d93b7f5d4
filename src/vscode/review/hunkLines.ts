import { diffLines } from 'diff';
import type { Proposal } from './diff/openProposals';

const DIFF_TIMEOUT_MS = 200;

/** 0-based first line of each hunk in the new text; for a pure deletion the line that follows it. */
export function hunkLines(sides: Pick<Proposal, 'left' | 'right'>): readonly number[] {
  const changes = diffLines(sides.left, sides.right, { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return [0];
  const lines: number[] = [];
  let line = 0;
  let inHunk = false;
  for (const change of changes) {
    const changed = change.added || change.removed;
    if (changed && !inHunk) lines.push(line);
    inHunk = changed;
    if (!change.removed) line += change.count;
  }
  return lines;
}
