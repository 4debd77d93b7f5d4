import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { filled, type Filled } from './filled';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const TURNS = 9;
const SMALL = 500;
const LARGE = 50_000;
/** Without git everything is read once: fewer files make the same point. */
const LARGE_PLAIN = 10_000;

/**
 * The look at what events have missed, after a turn in which ten files changed: in the background, but it holds up
 * what is found out next.
 */
export async function benchTurnEnd(): Promise<Row[]> {
  const small = await measure(SMALL, true);
  const large = await measure(LARGE, true);
  return [
    { name: 'look after a turn in 50,000 files, median', value: large.end, unit: 'ms' },
    { name: 'against 500 files', value: large.end / small.end, unit: '×' },
  ];
}

/** The same without git, where the folder is listed instead of git asked. */
export async function benchWithoutGit(): Promise<Row[]> {
  const small = await measure(SMALL, false);
  const large = await measure(LARGE_PLAIN, false);
  const each = (value: number, count: number) => value / count;
  return [
    {
      name: 'turn start in 10,000 files, median',
      value: large.start,
      unit: 'ms',
      note: 'budget 50',
    },
    { name: 'look after a turn, median', value: large.end, unit: 'ms' },
    {
      name: 'a file of it, against 500 files',
      value: each(large.end, LARGE_PLAIN) / each(small.end, SMALL),
      unit: '×',
    },
    { name: 'first look, in the background', value: large.first, unit: 'ms' },
    {
      name: 'a file of it, against 500 files',
      value: each(large.first, LARGE_PLAIN) / each(small.first, SMALL),
      unit: '×',
    },
  ];
}

/** Milliseconds: medians, and the first look at the whole. */
async function measure(
  count: number,
  inGit: boolean,
): Promise<{ readonly start: number; readonly end: number; readonly first: number }> {
  const space = await filled(count, inGit);
  try {
    const times: { start: number; end: number }[] = [];
    for (let turn = 0; turn < TURNS; turn++) times.push(await oneTurn(space, turn));
    const median = (values: number[]) => values.sort((a, b) => a - b)[TURNS >> 1] ?? 0;
    return {
      start: median(times.map(({ start }) => start)),
      end: median(times.map(({ end }) => end)),
      first: space.firstLook,
    };
  } finally {
    await space.dispose();
  }
}

async function oneTurn(
  { w, files }: Filled,
  turn: number,
): Promise<{ start: number; end: number }> {
  const began = performance.now();
  const ref = await w.start(String(turn));
  const start = performance.now() - began;
  for (const file of files.slice(0, 10)) {
    writeFileSync(file, `${turn} ${path.basename(file)}\n`);
    w.tracker.touch(file);
  }
  await w.tracker.settled();
  const ended = performance.now();
  w.end(ref);
  await w.tracker.idle();
  const end = performance.now() - ended;
  if (w.review.pending.length !== 10) throw new Error(`${w.review.pending.length} pending`);
  await w.review.keep({ kind: 'all' });
  return { start, end };
}
