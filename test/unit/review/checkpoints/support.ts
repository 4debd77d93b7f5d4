import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, statSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { chmod, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { TestContext } from 'node:test';
import { Emitter } from '../../../../src/base/event';
import { nullLogger, type Logger } from '../../../../src/base/logger';
import { gitProcess, type Git } from '../../../../src/git/gitProcess';
import { GitRepositories } from '../../../../src/git/repositories';
import { sameContent } from '../../../../src/review/core/lines';
import type { Author, FileContent, TurnRef } from '../../../../src/review/model';
import type { Baseline } from '../../../../src/review/checkpoints/baselines';
import { Blobs, hashOf } from '../../../../src/review/store/blobs';
import {
  canonical,
  CLOCK_SLACK_MS,
  lookAt,
  makeRoom,
} from '../../../../src/review/checkpoints/diskFile';
import type { EditorFiles, TrackedScope } from '../../../../src/review/checkpoints/ports';
import { whileLocked } from '../../../../src/vscode/files/fileLock';
import { loadReview } from '../../../../src/review/store/loadReview';
import { ReviewService } from '../../../../src/review/reviewService';
import { Rewind } from '../../../../src/review/checkpoints/rewind';
import { ReviewStorage } from '../../../../src/review/store/storage';
import type { TrackedChanges } from '../../../../src/review/checkpoints/trackedChanges';
import { Tracker } from '../../../../src/review/checkpoints/tracker';
import { WorkspaceGit } from '../../../../src/review/checkpoints/workspaceGit';
import type { Written } from '../../../../src/review/workingFiles';
import { FileError } from '../../../../src/session/ports';
import { temporaryFolder } from '../../git/support';

/** An editor that has nothing open but what a test says: the disk and its events, in UTF-8. */
export class DiskFiles implements EditorFiles {
  private readonly edited = new Emitter<{ readonly path: string; readonly text: () => string }>();
  readonly onDidEdit = this.edited.event;
  private readonly touched = new Emitter<{ readonly path: string }>();
  readonly onDidTouch = this.touched.event;
  private readonly dirty = new Map<string, string>();
  private readonly saving = new Set<string>();
  /** Notebooks with unsaved cells. */
  readonly cells = new Set<string>();
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(
    t: Pick<TestContext, 'after'>,
    roots: readonly string[],
    private readonly blobs: Blobs,
  ) {
    t.after(() => this.stopWatching());
    for (const root of roots) this.watchFolder(root);
  }

  /** Folder by folder: what Node itself watches recursively it loses when a file is replaced. */
  private watchFolder(folder: string): void {
    if (this.watchers.has(folder) || path.basename(folder) === '.git') return;
    let names: readonly string[];
    try {
      this.watchers.set(
        folder,
        watch(folder, (_, name) => {
          if (name === null) return;
          const file = path.join(folder, name);
          if (isFolder(file)) this.watchFolder(file);
          else this.unwatch(file);
          this.touched.fire({ path: file });
        }).on('error', () => this.unwatch(folder)),
      );
      names = readdirSync(folder);
    } catch {
      return;
    }
    for (const name of names) {
      const file = path.join(folder, name);
      if (isFolder(file)) this.watchFolder(file);
    }
  }

  /** No event comes any more. */
  stopWatching(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private unwatch(folder: string): void {
    for (const [watched, watcher] of this.watchers) {
      if (watched !== folder && !watched.startsWith(folder + path.sep)) continue;
      watcher.close();
      this.watchers.delete(watched);
    }
  }

  hasUnsavedCells(file: string): boolean {
    return this.cells.has(file);
  }

  isSaving(file: string): boolean {
    return this.saving.has(file);
  }

  /** The user types: the document has unsaved text from now on. */
  type(file: string, text: string): void {
    this.dirty.set(file, text);
    this.edited.fire({ path: file, text: () => text });
  }

  /** @returns what was saved */
  async save(file: string): Promise<string> {
    const text = this.dirty.get(file);
    if (text === undefined) return '';
    this.saving.add(file);
    const before = await readFile(file).catch(() => undefined);
    await writeFile(file, (before && hasMark(before) ? BOM : '') + text);
    this.dirty.delete(file);
    this.saving.delete(file);
    return text;
  }

  /** The user gives up what is not saved: the document says again what the disk says. */
  giveUp(file: string): void {
    this.dirty.delete(file);
    this.touched.fire({ path: file });
  }

  unsaved(file: string): string | undefined {
    return this.dirty.get(file);
  }

  async decode(_: string, bytes: Uint8Array): Promise<FileContent> {
    if (bytes.includes(0)) return { kind: 'binary', hash: hashOf(bytes), bytes: bytes.length };
    return { kind: 'text', text: new TextDecoder().decode(bytes) };
  }

  async read(file: string): Promise<FileContent> {
    const unsaved = this.dirty.get(file);
    if (unsaved !== undefined) return { kind: 'text', text: unsaved };
    const found = await lookAt(file);
    if (found.kind !== 'file') return { kind: 'absent' };
    if (!found.bytes) return { kind: 'binary', hash: found.hash, bytes: found.size };
    return this.decode(file, found.bytes);
  }

  async write(
    file: string,
    content: FileContent,
    original?: { readonly bytes: Uint8Array; readonly mode?: number },
  ): Promise<Written | undefined> {
    if (content.kind === 'text' && this.dirty.has(file)) {
      this.type(file, content.text);
      return undefined;
    }
    if (content.kind !== 'absent' && !(await makeRoom(file))) {
      throw new FileError('failed', 'a folder with files');
    }
    const info = await lstat(file).catch(() => undefined);
    if (info && !info.isFile()) return { bytes: undefined };
    if (info && (info.mode & 0o222) === 0) throw new FileError('readOnly', 'read-only');
    if (content.kind === 'absent') {
      await rm(file, { force: true });
      return { bytes: undefined };
    }
    const isOriginal = original && sameContent(await this.decode(file, original.bytes), content);
    const like = info && !isOriginal ? await readFile(file) : original?.bytes;
    const mark = like && hasMark(like) ? BOM : '';
    const bytes =
      content.kind === 'text'
        ? Buffer.from(mark + content.text)
        : await this.blobs.get(content.hash);
    if (!bytes) throw new FileError('failed', 'not kept');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    if (!info && original?.mode !== undefined) await chmod(file, original.mode & 0o777);
    return { bytes };
  }
}

const BOM = '\uFEFF';

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isFolder(file: string): boolean {
  try {
    return lstatSync(file).isDirectory();
  } catch {
    return false;
  }
}

/** Names left out where there is no git. */
const EXCLUDED = new Set(['node_modules', '.git', 'dist']);

export interface Seen {
  readonly path: string;
  readonly turn: TurnRef;
  /** Names of the agents that worked, when it is nobody's for certain. */
  readonly unclaimed?: readonly string[];
  readonly before: FileContent | undefined;
  readonly after: FileContent;
}

/** Writes down what the tracker finds, and keeps what files under review are. */
export class RecordedChanges implements TrackedChanges {
  readonly agents: Seen[] = [];
  readonly claims: string[] = [];
  readonly users: { readonly path: string; readonly current: FileContent }[] = [];
  readonly committed: { readonly path: string; readonly content: FileContent | undefined }[] = [];
  readonly renames: (readonly [string, string])[] = [];
  private readonly current = new Map<string, FileContent>();
  private readonly told = new Emitter<void>();

  paths(): Iterable<string> {
    return this.current.keys();
  }

  currentOf(file: string): FileContent | undefined {
    return this.current.get(file);
  }

  async agentChanged(
    file: string,
    baseline: Baseline | undefined,
    after: FileContent,
    by: Author,
  ): Promise<void> {
    const [turn, unclaimed] =
      'unclaimed' in by
        ? [by.unclaimed[0]?.turn, by.unclaimed.map(({ agent }) => agent)]
        : [by, undefined];
    assert.ok(turn);
    const whose = { turn, ...(unclaimed && { unclaimed }) };
    this.agents.push({ path: file, ...whose, before: baseline?.content, after });
    this.current.set(file, after);
    this.told.fire();
  }

  claimed(file: string, turn: TurnRef): void {
    this.claims.push(`${turn.turnId} ${path.basename(file)}`);
  }

  takeUp(): boolean {
    return false;
  }

  settled(file: string, current: FileContent): void {
    this.userChanged(file, current);
  }

  mayComeBack(): boolean {
    return false;
  }

  renamed(from: string, to: string): void {
    this.renames.push([from, to]);
  }

  forget(file: string): void {
    this.current.delete(file);
  }

  together<T>(task: () => Promise<T>): Promise<T> {
    return task();
  }

  whileWriting<T>(_: string, write: () => Promise<T>): Promise<T> {
    return write();
  }

  userChanged(file: string, current: FileContent): void {
    this.users.push({ path: file, current });
    this.current.set(file, current);
    this.told.fire();
  }

  async headMoved(contentOf: (path: string) => Promise<FileContent | undefined>): Promise<void> {
    for (const file of this.current.keys()) {
      this.committed.push({ path: file, content: await contentOf(file) });
    }
    this.told.fire();
  }

  /** Resolves when `condition` holds, which is asked after everything that is told. */
  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      if (condition()) return resolve();
      const subscription = this.told.event(() => {
        if (!condition()) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  async agentTouched(file: string): Promise<Seen> {
    await this.until(() => this.agents.some(seen => seen.path === file));
    return this.agents.findLast(seen => seen.path === file) as Seen;
  }
}

/** The parts around a tracker, on real folders. @param watched folders whose events are listened to */
function parts(
  t: Pick<TestContext, 'after'>,
  roots: readonly string[],
  folder: string,
  watched = roots,
  firstLook?: Promise<void>,
) {
  const blobs = new Blobs(path.join(folder, 'blobs'), 0);
  const files = new DiskFiles(t, watched, blobs);
  const runs: string[] = [];
  const run = gitProcess();
  const counted: Git = async (args, options) => {
    const isFirst = args.includes('status') && !runs.some(run => run.includes(' status '));
    runs.push(args.join(' '));
    if (isFirst) await firstLook;
    return run(args, options);
  };
  const git = new WorkspaceGit(new GitRepositories(counted));
  const children = new Set<string>();
  t.after(() => git.dispose());
  const scope: TrackedScope = {
    roots: () => roots,
    isOwn: () => false,
    isExcluded: file => file.split(path.sep).some(part => EXCLUDED.has(part)),
    isHidden: file => path.basename(file).endsWith('.hidden'),
  };
  const logger: Logger = {
    ...nullLogger,
    error: (message: string, cause?: unknown) => console.error(message, cause),
  };
  const processes = { children: () => new Set(children) };
  return { blobs, files, git, gitRuns: runs, scope, logger, children, processes, now: Date.now };
}

export interface Workspace {
  readonly root: string;
  readonly files: DiskFiles;
  readonly tracker: Tracker;
  readonly changes: RecordedChanges;
  readonly blobs: Blobs;
  /** What git was run with so far. */
  readonly gitRuns: string[];
  /** What runs below the agent's process. */
  readonly children: Set<string>;
  file(name: string): string;
  start(turnId: string, chatId?: string, agent?: string): Promise<TurnRef>;
  end(turn: TurnRef): void;
}

/** A tracker on a real folder; make what is in it first. */
export async function workspace(
  t: TestContext,
  prepare: (root: string) => void,
): Promise<Workspace> {
  const root = await canonical(temporaryFolder());
  prepare(root);
  const around = parts(t, [root], temporaryFolder());
  const { blobs, files, gitRuns, children } = around;
  const changes = new RecordedChanges();
  const tracker = new Tracker({ ...around, changes });
  t.after(() => tracker.dispose());
  await tracker.start();
  return {
    root,
    files,
    tracker,
    changes,
    blobs,
    gitRuns,
    children,
    file: name => path.join(root, name),
    async start(turnId, chatId = 'chat', agent = 'Agent') {
      const ref = { chatId, turnId };
      await tracker.turnStarted(ref, agent);
      return ref;
    },
    end: ref => tracker.turnEnded(ref),
  };
}

/** Waits until the file system, whose clock is coarser than ours, dates what is written later than now. */
export function passFileClock(): void {
  const probe = path.join(temporaryFolder(), 'probe');
  // Also later than a time that was told in whole milliseconds.
  awaitFileClock(probe, Date.now() + 1 + CLOCK_SLACK_MS);
}

/** Files written from now on are dated `time` (ms since the epoch) or later by the file system of `probe`. */
export function awaitFileClock(probe: string, time: number): void {
  do writeFileSync(probe, String(time));
  while (statSync(probe).ctimeMs < time);
}

/** An agent that works with its own hands: a shell, as a process of its own. */
export function shell(cwd: string, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-ec', command], { cwd, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}

export interface ReviewedOptions {
  /** Bytes kept to take changes back. */
  readonly maxBytes?: number;
  /** What happens on disk is only known when the test tells it. */
  readonly isQuiet?: boolean;
  /** The first look at the workspace is not over before. */
  readonly firstLook?: Promise<void>;
  /** What an earlier window left could not be read. */
  readonly onKeptApart?: (place: string) => void;
  /** A line of the log. */
  readonly onInfo?: (line: string) => void;
}

export interface Reviewed {
  /** What runs below the agents' processes. */
  readonly children: Set<string>;
  readonly files: DiskFiles;
  readonly git: WorkspaceGit;
  readonly tracker: Tracker;
  readonly review: ReviewService;
  readonly rewind: Rewind;
  readonly storage: ReviewStorage;
  readonly blobs: Blobs;
  /** What git was run with so far. */
  readonly gitRuns: string[];
  start(turnId: string, chatId?: string): Promise<TurnRef>;
  end(turn: TurnRef): void;
  /** Resolves when `condition` holds, which is asked after every change of the review. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves when these files are pending, and no other. */
  pending(...paths: readonly string[]): Promise<void>;
}

/** Everything from the disk to the review, as one window has it. */
export async function reviewed(
  t: Pick<TestContext, 'after'>,
  roots: readonly string[],
  folder: string,
  { maxBytes, isQuiet = false, firstLook, onKeptApart, onInfo }: ReviewedOptions = {},
): Promise<Reviewed> {
  const around = parts(t, roots, folder, isQuiet ? [] : roots, firstLook);
  const { files, blobs, logger, children } = around;
  if (onInfo) logger.info = onInfo;
  const calls = {
    exclusively: <T>(task: () => Promise<T>): Promise<T> => tracker.exclusively(task),
    wrote: (file: string, written: Written) => tracker.wrote(file, written),
  };
  const canonicalSync = (file: string) => file;
  const review = new ReviewService({
    ...calls,
    touch: file => tracker.touch(file),
    files,
    blobs,
    logger,
    canonical: canonicalSync,
  });
  const tracker: Tracker = new Tracker({ ...around, changes: review });
  const rewind = new Rewind({ ...calls, files, blobs, review, logger });
  const storage = new ReviewStorage({
    folder,
    blobs,
    review,
    rewind,
    logger,
    heads: () => around.git.lastHeads(),
    tracker,
    whileLocked,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  t.after(() => {
    for (const part of [storage, rewind, tracker, review]) part.dispose();
  });
  if (onKeptApart) storage.onDidKeepApart(onKeptApart);
  await loadReview({ storage, review, files, tracker });
  if (!firstLook) await tracker.start();
  const until = (condition: () => boolean): Promise<void> =>
    new Promise(resolve => {
      if (condition()) return resolve();
      const subscription = review.onDidChange(() => {
        if (!condition()) return;
        subscription.dispose();
        resolve();
      });
    });
  review.onDidDisown(({ isAll }) => {
    if (isAll) tracker.closeEnded();
  });
  return {
    gitRuns: around.gitRuns,
    children,
    files,
    git: around.git,
    tracker,
    review,
    rewind,
    storage,
    blobs,
    async start(turnId, chatId = 'chat') {
      const ref = { chatId, turnId };
      await tracker.turnStarted(ref, 'Agent');
      return ref;
    },
    end: ref => tracker.turnEnded(ref),
    until,
    pending: (...paths) => {
      const wanted = [...paths].sort().join();
      return until(() => review.pending.map(({ path: file }) => file).join() === wanted);
    },
  };
}

export const text = (value: string): FileContent => ({ kind: 'text', text: value });
export const absent: FileContent = { kind: 'absent' };
