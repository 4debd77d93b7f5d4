import { reviewed, shell } from '../unit/review/checkpoints/support';
import { filled } from './filled';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const FEW = 20;
const MANY = 200;

/** A review of 200 files: the time for each must not grow with their number. */
export async function benchManyPending(): Promise<Row[]> {
  const few = await measure(FEW);
  const many = await measure(MANY);
  const rows = (name: string, of: (times: Times) => number): Row[] => [
    {
      name: `${MANY} files: ${name}`,
      value: of(many),
      unit: 'ms',
      note: `${FEW}: ${of(few).toFixed(1)} ms`,
    },
    { name: `each, against ${FEW}`, value: of(many) / MANY / (of(few) / FEW), unit: '×' },
  ];
  return [
    ...rows('listed with all hunks, for the review to open', ({ listed }) => listed),
    ...rows('undo all', ({ undone }) => undone),
    ...rows('the stored review, until marks can be drawn', ({ marked }) => marked),
  ];
}

/** Milliseconds. */
interface Times {
  readonly listed: number;
  readonly undone: number;
  readonly marked: number;
}

async function measure(count: number): Promise<Times> {
  const { w, root, files, store, dispose } = await filled(count, true);
  try {
    const turn = await w.start('1');
    await shell(root, 'for f in all/*/*; do echo changed >> $f; done');
    for (const file of files) w.tracker.touch(file);
    await w.tracker.settled();
    w.end(turn);
    await w.tracker.idle();
    let began = performance.now();
    const hunks = w.review.pending.reduce((sum, file) => sum + file.hunks.length, 0);
    const listed = performance.now() - began;
    if (hunks !== count) throw new Error(`${hunks} hunks`);
    await w.storage.flush();

    const marked = await reload(root, store, count);

    began = performance.now();
    const { decided } = await w.review.undo({ kind: 'all' });
    await w.storage.flush();
    const undone = performance.now() - began;
    if (decided !== count) throw new Error(`${decided} undone`);
    return { listed, undone, marked };
  } finally {
    await dispose();
  }
}

/** Another window on what is stored. @returns ms until the changes are there */
async function reload(root: string, store: string, count: number): Promise<number> {
  const tasks: (() => void | Promise<void>)[] = [];
  const after = (task: unknown): void => void tasks.push(task as () => void);
  try {
    const began = performance.now();
    const next = await reviewed({ after }, [root], store, { isQuiet: true });
    const took = performance.now() - began;
    if (next.review.pending.length !== count) throw new Error('not all are pending');
    return took;
  } finally {
    for (const task of tasks) await task();
  }
}
