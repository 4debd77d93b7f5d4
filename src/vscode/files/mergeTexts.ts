/** Three-way merge of an agent's text with what the user edited meanwhile. Pure. */
import { diffLines, type Change } from '../../base/lineDiff';
import { splitLines } from '../../review/core/lines';
import type { LineRange } from '../../review/model';

/** `line`: the first line, 1-based and of the user's text, that both changed. */
export type Merge = { readonly text: string } | { readonly line: number };

/** What the agent made of `base` (`agent`) and what the user made of it (`user`), together. */
export function mergeTexts(base: string, agent: string, user: string): Merge {
  if (base === user) return { text: agent };
  if (base === agent) return { text: user };
  const [lines, mine, theirs] = [base, agent, user].map(splitLines) as [Lines, Lines, Lines];
  const merged: string[] = [];
  let at = 0;
  const take = ({ before, after }: Change, from: Lines): void => {
    merged.push(...lines.slice(at, before.start), ...slice(from, after));
    at = endOf(before);
  };
  const left = [...diffLines(lines, mine)];
  const right = [...diffLines(lines, theirs)];
  for (let [a, b] = [left[0], right[0]]; a ?? b; [a, b] = [left[0], right[0]]) {
    if (a && b && collide(a.before, b.before)) {
      if (!sameChange(a, mine, b, theirs)) return { line: b.after.start + 1 };
      take(a, mine);
      left.shift();
      right.shift();
    } else if (a && (!b || isBefore(a.before, b.before))) {
      take(a, mine);
      left.shift();
    } else if (b) {
      take(b, theirs);
      right.shift();
    }
  }
  return { text: [...merged, ...lines.slice(at)].join('') };
}

/** Whether `user`, made of `agent`, lacks lines that the agent's own last change of `before` had put there. */
export function takesBack(before: string, agent: string, user: string): boolean {
  const lines = splitLines(agent);
  const written = diffLines(splitLines(before), lines).map(({ after }) => after);
  const changed = diffLines(lines, splitLines(user)).flatMap(change =>
    change.before.count > 0 ? [change.before] : [],
  );
  return written.some(mine => changed.some(theirs => overlap(mine, theirs)));
}

type Lines = readonly string[];

/** Two insertions at one place collide too: nobody knows which comes first. */
function collide(a: LineRange, b: LineRange): boolean {
  return overlap(a, b) || (a.count === 0 && b.count === 0 && a.start === b.start);
}

function overlap(a: LineRange, b: LineRange): boolean {
  return a.start < endOf(b) && b.start < endOf(a);
}

function isBefore(a: LineRange, b: LineRange): boolean {
  return a.start < b.start || (a.start === b.start && a.count <= b.count);
}

function sameChange(a: Change, mine: Lines, b: Change, theirs: Lines): boolean {
  return (
    a.before.start === b.before.start &&
    a.before.count === b.before.count &&
    slice(mine, a.after).join('') === slice(theirs, b.after).join('')
  );
}

function slice(lines: Lines, { start, count }: LineRange): Lines {
  return lines.slice(start, start + count);
}

function endOf({ start, count }: LineRange): number {
  return start + count;
}
