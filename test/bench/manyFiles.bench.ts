import { shell } from '../unit/review/checkpoints/support';
import { filled } from './filled';
import { longestBlock } from './processorTime';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const FEW = 500;
const MANY = 5_000;

/** What one command does to all files, and where something happens then. */
const COMMANDS: Readonly<
  Record<string, { readonly command: string; touched(file: string): readonly string[] }>
> = {
  rewritten: {
    command: 'for f in all/*/*; do echo changed >> $f; done',
    touched: file => [file],
  },
  created: {
    command: 'for f in all/*/*; do echo new > $f.new; done',
    touched: file => [`${file}.new`],
  },
  deleted: { command: 'rm -r all', touched: file => [file] },
  moved: {
    command: 'mv all moved',
    touched: file => [file, file.replace('/all/', '/moved/')],
  },
};

/** What a user takes for a freeze, in milliseconds. */
const FREEZE = 100;

/**
 * Thousands of files changed by one command of an agent: the time for each must not grow with their number, and
 * nothing else may wait for long.
 */
export async function benchManyFiles(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, change] of Object.entries(COMMANDS)) {
    const few = await measure(FEW, change);
    const many = await measure(MANY, change);
    rows.push(
      {
        name: `${MANY} files ${what}, each`,
        value: many.took / MANY,
        unit: 'ms',
        note: `${FEW}: ${(few.took / FEW).toFixed(2)} ms`,
      },
      { name: `against ${FEW}`, value: many.took / MANY / (few.took / FEW), unit: '×' },
      { name: `longest block, of ${FREEZE} ms`, value: many.longest / FREEZE, unit: '×' },
    );
  }
  return rows;
}

/** Milliseconds. */
async function measure(
  count: number,
  change: (typeof COMMANDS)[string],
): Promise<{ readonly took: number; readonly longest: number }> {
  const { w, root, files, dispose } = await filled(count, true);
  try {
    const turn = await w.start('1');
    await shell(root, change.command);
    const began = performance.now();
    const longest = await longestBlock(async () => {
      for (const file of files.flatMap(change.touched)) w.tracker.touch(file);
      await w.tracker.settled();
      w.end(turn);
      await w.tracker.idle();
      await w.storage.flush();
    });
    const took = performance.now() - began;
    if (w.review.pending.length !== count) throw new Error(`${w.review.pending.length} pending`);
    return { took, longest };
  } finally {
    await dispose();
  }
}
