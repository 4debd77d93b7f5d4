import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { reviewed, shell } from '../unit/review/tracking/support';

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
  const folders = [0, 1].map(() => realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-bench-'))));
  const [root = '', store = ''] = folders;
  const tasks: (() => void | Promise<void>)[] = [];
  try {
    const files = fill(root, count);
    const w = await reviewed({ after: task => tasks.push(task as () => void) }, [root], store, {
      isQuiet: true,
    });
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
    for (const task of tasks) await task();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function fill(root: string, count: number): string[] {
  const files: string[] = [];
  for (let index = 0; index < count; index++) {
    const folder = path.join(root, 'all', `d${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `f${index % 100}.txt`);
    files.push(file);
    writeFileSync(file, `${index}\n${'line\n'.repeat(20)}`);
  }
  const run = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  run('init', '-q');
  run('add', '-A');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0'];
  run(...who, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'all');
  return files;
}
