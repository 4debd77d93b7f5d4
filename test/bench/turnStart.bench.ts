import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { AgentChildren } from '../../src/agents/process/agentChildren';
import { Emitter } from '../../src/base/event';
import { nullLogger } from '../../src/base/logger';
import { gitProcess } from '../../src/git/gitProcess';
import { GitRepositories } from '../../src/git/repositories';
import { Blobs } from '../../src/review/store/blobs';
import { canonical } from '../../src/review/checkpoints/diskFile';
import { Tracker } from '../../src/review/checkpoints/tracker';
import { WorkspaceGit } from '../../src/review/checkpoints/workspaceGit';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const TURNS = 21;

/**
 * What a prompt waits for before its agent gets it, with ten files that the user has just saved, in a
 * repository of 500 files and in one of 50,000. The first look at the workspace is done by then.
 */
export async function benchTurnStart(): Promise<Row[]> {
  const small = await measure(500);
  const large = await measure(50_000);
  return [
    {
      name: 'turn start in 50,000 files, median',
      value: large.median,
      unit: 'ms',
      note: 'budget 50',
    },
    { name: 'against 500 files', value: large.median / small.median, unit: '×' },
    {
      name: 'first look at 50,000 files, in the background',
      value: large.firstLook,
      unit: 'ms',
      note: `${small.firstLook.toFixed(0)} ms at 500`,
    },
  ];
}

async function measure(
  count: number,
): Promise<{ readonly median: number; readonly firstLook: number }> {
  const root = await canonical(mkdtempSync(path.join(tmpdir(), 'parley-bench-')));
  const store = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const git = new WorkspaceGit(new GitRepositories(gitProcess()));
  const touched = new Emitter<{ readonly path: string }>();
  const blobs = new Blobs(store);
  const children = new AgentChildren();
  const tracker = new Tracker({
    files: {
      onDidTouch: touched.event,
      onDidEdit: new Emitter<never>().event,
      unsaved: () => undefined,
      isSaving: () => false,
      hasUnsavedCells: () => false,
      decode: async (_, bytes) => ({ kind: 'text', text: new TextDecoder().decode(bytes) }),
      read: async () => ({ kind: 'absent' }),
      write: async () => undefined,
    },
    scope: {
      roots: () => [root],
      isExcluded: () => false,
      isHidden: () => false,
      isOwn: () => false,
    },
    git,
    blobs,
    changes: {
      paths: () => [],
      currentOf: () => undefined,
      claimed: () => undefined,
      agentChanged: async () => undefined,
      userChanged: () => undefined,
      settled: () => undefined,
      mayComeBack: () => false,
      renamed: () => undefined,
      forget: () => undefined,
      takeUp: () => false,
      together: task => task(),
      whileWriting: (_, write) => write(),
      headMoved: async () => undefined,
    },
    processes: { children: agent => children.of(agent) ?? new Set() },
    logger: nullLogger,
    now: () => Date.now(),
  });
  try {
    fill(root, count);
    const began = performance.now();
    await tracker.start();
    const firstLook = performance.now() - began;
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      for (let index = 0; index < 10; index++) {
        const file = path.join(root, 'd0', `f${index}.txt`);
        writeFileSync(file, `${turn} ${index}\n`);
        touched.fire({ path: file });
      }
      const start = performance.now();
      await tracker.turnStarted({ chatId: 'chat', turnId: String(turn) }, 'Agent');
      times.push(performance.now() - start);
      tracker.turnEnded({ chatId: 'chat', turnId: String(turn) });
      // What comes after a turn is not a part of the next one's start.
      await tracker.idle();
    }
    times.sort((a, b) => a - b);
    return { median: times[TURNS >> 1] ?? 0, firstLook };
  } finally {
    tracker.dispose();
    git.dispose();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    rmSync(store, { recursive: true, force: true });
  }
}

function fill(root: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const folder = path.join(root, `d${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(folder);
    writeFileSync(path.join(folder, `f${index % 100}.txt`), `${index}\n`);
  }
  const run = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  run('init', '-q');
  run('add', '-A');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0'];
  run(...who, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'all');
}
