/**
 * A simple model of a text under review: a list of lines, each of which says whether it is in the baseline and
 * whether it is in the text now. Every line is written only once, so that there is one way to tell what became
 * what.
 */
export interface Line {
  readonly text: string;
  readonly before: boolean;
  readonly now: boolean;
}

export function current(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ now }) => now);
}

export function textBefore(lines: readonly Line[]): string {
  return joined(lines.filter(({ before }) => before));
}

export function textNow(lines: readonly Line[]): string {
  return joined(current(lines));
}

/** Runs of lines that are not the same on both sides. */
export function hunksIn(lines: readonly Line[]): readonly (readonly Line[])[] {
  const hunks: Line[][] = [];
  let open: Line[] | undefined;
  for (const line of lines) {
    if (line.before && line.now) open = undefined;
    else if (open) open.push(line);
    else hunks.push((open = [line]));
  }
  return hunks;
}

/** An agent puts `texts` in place of `remove` present lines from the one with index `at` on. */
export function agentReplaces(
  lines: readonly Line[],
  at: number,
  remove: number,
  texts: readonly string[],
): readonly Line[] {
  const from = Math.min(at, current(lines).length);
  const gone = new Set(current(lines).slice(from, from + remove));
  const next = current(lines)[from + remove];
  const fresh = texts.map(text => ({ text, before: false, now: true }));
  const result = lines.flatMap(line => {
    const kept = gone.has(line) ? (line.before ? [{ ...line, now: false }] : []) : [line];
    return line === next ? [...fresh, ...kept] : kept;
  });
  return next ? result : [...result, ...fresh];
}

/** Between two lines of one hunk the user's new ones are part of it; elsewhere they are the user's. */
export function userInserts(
  lines: readonly Line[],
  at: number,
  texts: readonly string[],
): readonly Line[] {
  const present = current(lines);
  const index = Math.min(at, present.length);
  const [above, below] = [present[index - 1], present[index]];
  const isInside = hunksIn(lines).some(
    hunk => above && below && hunk.includes(above) && hunk.includes(below),
  );
  const fresh = texts.map(text => ({ text, before: !isInside, now: true }));
  return lines.toSpliced(placeBetween(lines, above, below), 0, ...fresh);
}

export function userDeletes(lines: readonly Line[], at: number, remove: number): readonly Line[] {
  const gone = new Set(current(lines).slice(at, at + remove));
  return lines.filter(line => !gone.has(line));
}

/** The chosen lines are on both sides, or on none. */
export function decided(
  lines: readonly Line[],
  chosen: ReadonlySet<Line>,
  stays: (line: Line) => boolean,
): readonly Line[] {
  return lines.flatMap(line => {
    if (!chosen.has(line)) return [line];
    return stays(line) ? [{ ...line, before: true, now: true }] : [];
  });
}

/** Where lines between `above` and `below` go: before a hunk that begins with `below`, else right before it. */
function placeBetween(
  lines: readonly Line[],
  above: Line | undefined,
  below: Line | undefined,
): number {
  const hunk = hunksIn(lines).find(some => below && some.includes(below));
  if (hunk?.[0] && !(above && hunk.includes(above))) return lines.indexOf(hunk[0]);
  return below ? lines.indexOf(below) : lines.length;
}

function joined(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('');
}
