import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { GitRepository } from '../../git/repository';
import type { FileContent, TurnRef } from '../model';
import { Baselines, type Baseline } from './baselines';
import type { Blobs } from './blobs';
import { canonical, lookAt, type DiskFile } from './diskFile';
import { expandFolder } from './folders';
import { indexSettled, ownedByGit } from './gitMoves';
import { KnownFiles } from './knownFiles';
import type { EditorFiles, TrackedScope } from './ports';
import type { ToldDiff } from './reverseDiff';
import { SerialQueue } from './serialQueue';
import { TrackedFiles } from './trackedFiles';
import { TurnBook, type TrackedTurn } from './turnBook';
import type { WorkspaceGit } from './workspaceGit';
import { WorkspaceScan } from './workspaceScan';

/** What tracking finds out. Called one at a time. */
export interface TrackedChanges {
  /** What is under review at `path` is now; undefined when nothing is. */
  currentOf(path: string): FileContent | undefined;
  /** Files under review. */
  paths(): Iterable<string>;
  /** @param baseline undefined: nobody can say what the file was. */
  agentChanged(
    path: string,
    baseline: Baseline | undefined,
    current: FileContent,
    turn: TurnRef,
  ): Promise<void>;
  userChanged(path: string, current: FileContent): void;
  /** The user's git put the file where it is: nothing in it is to be decided any more. */
  settled(path: string, current: FileContent): void;
  /** Runs `write`, during which the file's document says what an agent writes, not what the user types. */
  whileWriting<T>(path: string, write: () => Promise<T>): Promise<T>;
  /** HEAD of the repository has moved: `contentOf` says what a file under review is in it. */
  headMoved(contentOf: (path: string) => Promise<FileContent | undefined>): Promise<void>;
}

export interface TrackerServices {
  readonly files: EditorFiles;
  readonly scope: TrackedScope;
  readonly git: WorkspaceGit;
  readonly blobs: Blobs;
  readonly changes: TrackedChanges;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Events of one command come together; they are looked at together. */
const BATCH_MS = 30;
/** How long the first prompt waits for the first look at the workspace, in milliseconds. */
const FIRST_LOOK_MS = 1_000;
/** How long a prompt waits for changes that are being looked at, in milliseconds. */
const MAX_SETTLE_MS = 2_000;
/** How long other changes wait for a write through the editor, in milliseconds. */
const MAX_WRITE_MS = 10_000;

/**
 * Finds out what agents change in the workspace, whoever's hand it is: the file requests they make, the
 * diffs they tell, and what happens on disk while they work. What users do, and what their git does, is
 * told apart by time, by who named the file, and by what git says.
 */
export class Tracker implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly queue = new SerialQueue();
  private readonly turns = new TurnBook();
  private readonly heads = new Map<TrackedTurn, ReadonlyMap<GitRepository, string | undefined>>();
  private readonly diffs = new Map<string, ToldDiff[]>();
  private readonly baselines: Baselines;
  readonly known: KnownFiles;
  private readonly scan: WorkspaceScan;
  private readonly tracked: TrackedFiles;
  private readonly touched = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private reconciling: Promise<void> = Promise.resolve();
  private firstLook: Promise<void> | undefined;

  constructor(private readonly services: TrackerServices) {
    const { files, git, blobs, scope, logger } = services;
    this.known = new KnownFiles(blobs);
    this.tracked = new TrackedFiles(scope, git);
    this.scan = new WorkspaceScan({ scope, git, known: this.known, logger });
    this.baselines = new Baselines({
      known: this.known,
      git,
      blobs,
      files,
      isComplete: file => this.scan.isComplete(file),
    });
    this.disposables.add(files.onDidTouch(({ path: file }) => this.touch(file)));
    this.disposables.add(git.onDidMove(move => void this.onHeadMove(move.watched.repository)));
  }

  /** Begins to look at the workspace: call it when the first chat is there. Twice is once. */
  start(): Promise<void> {
    return (this.firstLook ??= this.lookAtAll());
  }

  /** Folders came or went. */
  rootsChanged(): void {
    if (this.firstLook) this.firstLook = this.lookAtAll();
  }

  /** Resolves when what has been told so far has been dealt with. */
  async settled(): Promise<void> {
    await this.flush();
    await this.queue.idle();
  }

  /** Resolves when also the look at the end of the last turn is done. */
  async idle(): Promise<void> {
    await this.reconciling;
    await this.settled();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.dispose();
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────

  /** The agent must not get its prompt before this resolves: what is there until then is the user's. */
  async turnStarted(ref: TurnRef): Promise<void> {
    await Promise.race([this.start(), timeout(FIRST_LOOK_MS)]);
    // Their events may still be on the way; an agent is likely to change them again.
    for (const file of this.services.changes.paths()) this.touched.add(file);
    // Whatever hangs, the user's prompt does not wait for it for ever.
    const settled = Promise.race([this.settled(), timeout(MAX_SETTLE_MS)]);
    const [heads] = await Promise.all([this.services.git.heads(), settled]);
    this.heads.set(this.turns.start(ref, this.services.now()), heads);
  }

  turnEnded(ref: TurnRef, at: number): void {
    const startedAt = this.turns.get(ref)?.startedAt;
    this.turns.end(ref, at);
    this.diffs.clear();
    if (startedAt !== undefined) this.reconciling = this.reconcile(startedAt);
  }

  /** A tool call or a request named files, perhaps before it changes them. */
  named(ref: TurnRef, files: readonly string[]): void {
    const turn = this.turns.get(ref);
    if (!turn) return;
    void this.run('named', async () => {
      for (const given of files) {
        const file = await canonical(given);
        if (!this.tracked.isInside(file)) continue;
        turn.named.add(file);
        const found = await lookAt(file);
        // Changed in this turn already: it is too late to learn what the file was.
        if (this.known.says(file, found) || this.turns.ownerOf(file, changedAt(found))) continue;
        if (!(await this.tracked.isIgnored(file))) await this.known.set(file, found, true);
      }
    });
  }

  /** A tool call told what it changes. */
  told(ref: TurnRef, file: string, diff: ToldDiff): void {
    this.named(ref, [file]);
    void this.run('told', async () => {
      const target = await canonical(file);
      const list = this.diffs.get(target) ?? [];
      const same = list.some(
        ({ oldText, newText }) => oldText === diff.oldText && newText === diff.newText,
      );
      if (!same) this.diffs.set(target, [...list, diff]);
    });
  }

  /**
   * Carries out `write`, by which the agent of `ref` changes `file` through the editor.
   * @throws whatever `write` throws
   */
  async record<T>(ref: TurnRef, given: string, write: () => Promise<T>): Promise<T> {
    const file = await canonical(given);
    if (!this.tracked.isInside(file) || (await this.tracked.isIgnored(file))) return write();
    const { writing } = await this.queue.run(async () => {
      const before = await this.baselineOf(file, ref);
      const result = this.services.changes.whileWriting(file, write);
      // A write that fails may have done a part; one that hangs must not hold up everything else.
      await Promise.race([result.catch(() => undefined), timeout(MAX_WRITE_MS)]);
      const found = await lookAt(file);
      await this.known.set(file, found);
      const content = await this.contentOf(file, found);
      await this.services.changes.agentChanged(file, before, content, ref);
      // Wrapped, so that it is not waited for here.
      return { writing: result };
    });
    return writing;
  }

  // ── what happens to files ──────────────────────────────────────────────────────────────────────────

  /** Something happened at `file` on disk; what and by whom is found out soon. */
  touch(file: string): void {
    if (!this.firstLook || this.services.scope.isOwn(file)) return;
    this.touched.add(file);
    this.timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** The user saved `file`: what is on disk now is the user's, formatters included. */
  saved(file: string): void {
    void this.run('saved', async () => {
      const found = await lookAt(file);
      if (!this.known.says(file, found)) await this.userChanged(file, found);
    });
  }

  /** Parley itself made `file` what it is: nobody's change. */
  async wrote(file: string): Promise<void> {
    await this.known.set(file, await lookAt(file));
  }

  /** Runs `task` between other changes. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.queue.run(task);
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.touched.size === 0) return;
    const given = [...this.touched];
    this.touched.clear();
    const files = new Map<string, number | undefined>();
    for (const name of given) {
      const file = await canonical(name);
      if (this.tracked.isInside(file)) files.set(file, undefined);
    }
    await this.run('touched', async () => {
      await this.waitForGit([...files.keys()]);
      await this.lookAtTouched(files);
    });
  }

  /** @param files with the time of the change where the file itself does not tell it. */
  private async lookAtTouched(files: Map<string, number | undefined>): Promise<void> {
    const agents: { file: string; found: DiskFile; turn: TrackedTurn }[] = [];
    const users: { file: string; found: DiskFile }[] = [];
    for (const [file, time] of files) {
      // Unsaved text stands above the disk; when it is saved or given up there is another event.
      if (this.services.files.unsaved(file) !== undefined) continue;
      const found = await lookAt(file);
      for (const inner of await expandFolder(file, found, this.services.git, this.known)) {
        if (!files.has(inner.path)) files.set(inner.path, inner.changedAt);
      }
      if (found.kind === 'folder' || found.kind === 'other') continue;
      if (this.known.says(file, found)) continue;
      const at = Math.max(changedAt(found) ?? 0, time ?? 0) || undefined;
      const turn = this.turns.ownerOf(file, at);
      if (turn) agents.push({ file, found, turn });
      else users.push({ file, found });
    }
    // What is known was not ignored when it came to be known: git need not be asked again.
    const ignored = await this.tracked.ignoredOf(
      [...agents, ...users].map(({ file }) => file).filter(file => !this.known.get(file)),
    );
    const { git, changes } = this.services;
    const byGit = await ownedByGit(
      [...agents, ...users.filter(({ file }) => changes.currentOf(file))].filter(
        ({ file }) => !ignored.has(file),
      ),
      git,
    );
    for (const { file, found, turn } of agents) {
      if (ignored.has(file)) continue;
      if (byGit.has(file)) await this.userChanged(file, found, true);
      else await this.agentTouched(file, found, turn);
    }
    for (const { file, found } of users) {
      if (!ignored.has(file)) await this.userChanged(file, found, byGit.has(file));
    }
  }

  private async agentTouched(file: string, found: DiskFile, turn: TrackedTurn): Promise<void> {
    const content = await this.contentOf(file, found);
    const before = await this.baselineOf(file, turn.ref, content);
    await this.known.set(file, found);
    await this.services.changes.agentChanged(file, before, content, turn.ref);
  }

  /** @param byGit git made the file what it is. */
  private async userChanged(file: string, found: DiskFile, byGit = false): Promise<void> {
    const { changes, files } = this.services;
    await this.known.set(file, found);
    if (changes.currentOf(file) === undefined || files.unsaved(file) !== undefined) return;
    const content = await this.contentOf(file, found);
    if (byGit) changes.settled(file, content);
    else changes.userChanged(file, content);
  }

  /** What the file is before the change that is being made or was just found. */
  private async baselineOf(
    file: string,
    ref: TurnRef,
    current?: FileContent,
  ): Promise<Baseline | undefined> {
    const reviewed = this.services.changes.currentOf(file);
    if (reviewed) return { content: reviewed };
    const unsaved = this.services.files.unsaved(file);
    const found = current === undefined ? await lookAt(file) : undefined;
    if (found) {
      // Not written yet: what is there is what was there.
      const bytes = found.kind === 'file' ? found.bytes : undefined;
      const content: FileContent =
        unsaved === undefined ? await this.contentOf(file, found) : { kind: 'text', text: unsaved };
      return {
        content,
        ...(bytes && { bytes }),
        ...(found.kind === 'file' && { mode: found.mode }),
      };
    }
    const turn = this.turns.get(ref);
    return this.baselines.of(file, {
      heads: (turn && this.heads.get(turn)) ?? new Map(),
      diffs: this.diffs.get(file) ?? [],
      current: current ?? { kind: 'absent' },
    });
  }

  private async contentOf(file: string, found: DiskFile): Promise<FileContent> {
    const unsaved = this.services.files.unsaved(file);
    if (unsaved !== undefined) return { kind: 'text', text: unsaved };
    if (found.kind !== 'file') return { kind: 'absent' };
    if (!found.bytes) return { kind: 'binary', hash: found.hash, bytes: found.size };
    const content = await this.services.files.decode(file, found.bytes);
    if (content.kind === 'binary') await this.services.blobs.put(found.bytes, found.hash);
    return content;
  }

  // ── the workspace ──────────────────────────────────────────────────────────────────────────────────

  private lookAtAll(): Promise<void> {
    return this.scan.remember(found => {
      const since = this.turns.runningSince;
      return since !== undefined && (changedAt(found) ?? Infinity) >= since;
    });
  }

  /** What events may have missed since the turn began. It takes its time, and nothing waits for it. */
  private async reconcile(startedAt: number): Promise<void> {
    const changed = await this.scan.changedSince(startedAt);
    const files = new Map<string, number | undefined>();
    for (const file of changed) if (this.tracked.isInside(file)) files.set(file, undefined);
    if (files.size > 0) await this.run('reconcile', () => this.lookAtTouched(files));
  }

  private async onHeadMove(repository: GitRepository): Promise<void> {
    await this.flush();
    await this.run('headMoved', async () => {
      const head = await repository.head();
      await this.services.changes.headMoved(async file => {
        const relative = repository.relative(file);
        if (head === undefined || relative === undefined) return undefined;
        const kind = await repository.kindAt(head, relative);
        if (kind === 'absent') return { kind: 'absent' };
        const bytes = kind === 'file' ? await repository.blob(head, relative) : undefined;
        return bytes && this.services.files.decode(file, bytes);
      });
    });
  }

  private async waitForGit(files: readonly string[]): Promise<void> {
    const seen = new Set<GitRepository>();
    for (const file of files) {
      const watched = await this.services.git.of(file);
      if (!watched || seen.has(watched.repository)) continue;
      seen.add(watched.repository);
      await indexSettled(watched.repository);
    }
  }

  private run(what: string, task: () => Promise<void>): Promise<void> {
    return this.queue.run(task).catch((error: unknown) => {
      this.services.logger.error(`Tracking failed: ${what}`, error);
    });
  }
}

function changedAt(found: DiskFile): number | undefined {
  return found.kind === 'other' ? undefined : found.changedAt;
}

function timeout(milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, milliseconds).unref();
  });
}
