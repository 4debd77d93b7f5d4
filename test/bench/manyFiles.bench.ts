import { shell } from '../unit/review/checkpoints/support';
import { filled } from './filled';

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

/** Thousands of files changed by one command of an agent: the time for each must not grow with their number. */
export async function benchManyFiles(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, change] of Object.entries(COMMANDS)) {
    const few = await measure(FEW, change);
    const many = await measure(MANY, change);
    rows.push(
      {
        name: `${MANY} files ${what}, each`,
        value: many / MANY,
        unit: 'ms',
        note: `${FEW}: ${(few / FEW).toFixed(2)} ms`,
      },
      { name: `against ${FEW}`, value: many / MANY / (few / FEW), unit: '×' },
    );
  }
  return rows;
}

/** Milliseconds. */
async function measure(count: number, change: (typeof COMMANDS)[string]): Promise<number> {
  const { w, root, files, dispose } = await filled(count, true);
  try {
    const turn = await w.start('1');
    await shell(root, change.command);
    const began = performance.now();
    for (const file of files.flatMap(change.touched)) w.tracker.touch(file);
    await w.tracker.settled();
    w.end(turn);
    await w.tracker.idle();
    await w.storage.flush();
    const took = performance.now() - began;
    if (w.review.pending.length !== count) throw new Error(`${w.review.pending.length} pending`);
    return took;
  } finally {
    await dispose();
  }
}
