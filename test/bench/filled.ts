import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { reviewed, type Reviewed } from '../unit/review/checkpoints/support';

/** A folder with many files, and everything that reviews it. */
export interface Filled {
  readonly root: string;
  /** Where what is pending is kept. */
  readonly store: string;
  readonly files: readonly string[];
  readonly w: Reviewed;
  /** How long all of it took to be looked at first: milliseconds. */
  readonly firstLook: number;
  dispose(): Promise<void>;
}

export async function filled(count: number, inGit: boolean): Promise<Filled> {
  const make = () => realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-bench-')));
  const [root, store] = [make(), make()];
  const tasks: (() => void | Promise<void>)[] = [];
  const files = writeFiles(root, count);
  if (inGit) commitAll(root);
  const began = performance.now();
  const w = await reviewed({ after: task => tasks.push(task as () => void) }, [root], store, {
    isQuiet: true,
  });
  return {
    root,
    store,
    files,
    w,
    firstLook: performance.now() - began,
    async dispose() {
      for (const task of tasks) await task();
      for (const folder of [root, store]) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

function writeFiles(root: string, count: number): string[] {
  const files: string[] = [];
  for (let index = 0; index < count; index++) {
    const folder = path.join(root, 'all', `d${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `f${index % 100}.txt`);
    files.push(file);
    writeFileSync(file, `${index}\n${'line\n'.repeat(20)}`);
  }
  return files;
}

function commitAll(root: string): void {
  const run = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  run('init', '-q');
  run('add', '-A');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0'];
  run(...who, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'all');
}
