import * as path from 'node:path';
import type { Event } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { TurnRef } from '../model';
import type { Written } from '../workingFiles';
import type { Blobs } from '../store/blobs';
import { Commits } from './commits';
import { DiskChanges, type LookedAt, type Touches } from './diskChanges';
import { canonical, changedAt, lookAt, placesOf } from './diskFile';
import { KnownFiles } from './knownFiles';
import { DelayedLooks } from './delayedLooks';
import { NamedFiles } from './namedFiles';
import type { EditorFiles, TrackedScope } from './ports';
import type { ToldDiff } from './reverseDiff';
import { SerialQueue } from './serialQueue';
import type { TrackedChanges } from './trackedChanges';
import { TrackedFiles } from './trackedFiles';
import { TurnBook } from './turnBook';
import type { TurnWork } from './turnWork';
import type { HeadMove, WorkspaceGit } from './workspaceGit';
import { WorkspaceScan } from './workspaceScan';

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

/** What the user did to a file or a folder: absolute paths, links of the folders above resolved. */
export interface Move {
  /** Undefined: it was created. */
  readonly from?: string;
  /** Undefined: it was deleted. */
  readonly to?: string;
}

/** Events of one command come together; they are looked at together. */
const BATCH_MS = 30;
/** How long the first prompt waits for the first look at the workspace, in milliseconds. */
const FIRST_LOOK_MS = 1_000;
/** How long a prompt waits for changes that are being looked at, in milliseconds. */
const MAX_SETTLE_MS = 2_000;
/** How long after a failure a file is looked at again, in milliseconds. */
const TRY_AGAIN_MS = 30_000;
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
  private readonly disk: DiskChanges;
  readonly known: KnownFiles;
  private readonly scan: WorkspaceScan;
  private readonly tracked: TrackedFiles;
  private readonly touched = new Set<string>();
  private readonly namedFiles: NamedFiles;
  private timer: NodeJS.Timeout | undefined;
  private readonly later: DelayedLooks;
  private readonly again: DelayedLooks;
  private readonly commits: Commits;
  private flushing: Promise<void> = Promise.resolve();
  private reconciling: Promise<void> = Promise.resolve();
  private firstLook: Promise<void> | undefined;

  constructor(private readonly services: TrackerServices) {
    const { files, git, blobs, scope, logger } = services;
    this.known = new KnownFiles(blobs);
    this.tracked = new TrackedFiles(scope, git);
    this.scan = new WorkspaceScan({ scope, git, known: this.known, logger });
    const { known, tracked, turns } = this;
    const shared = { known, tracked, turns, now: () => services.now() };
    this.namedFiles = new NamedFiles(shared);
    const isComplete = (file: string) => this.scan.isComplete(file);
    this.disk = new DiskChanges({ ...services, ...shared, isComplete });
    this.disposables.add(this.disk.hidden);
    this.commits = new Commits(services);
    const looks = () =>
      this.disposables.add(
        new DelayedLooks(
          file => this.touch(file),
          () => services.now(),
        ),
      );
    this.later = looks();
    this.again = looks();
    this.disposables.add(files.onDidTouch(({ path: file }) => this.touch(file)));
    this.disposables.add(git.onDidMove(move => void this.onHeadMove(move)));
  }

  /** An agent wrote to disk where the editor has unsaved text: tells the path of the file. */
  get onDidHideWrite(): Event<string> {
    return this.disk.hidden.onDidFind;
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

  /** Resolves when also the look at the end of the last turn is done, and nothing is left to be told. */
  async idle(): Promise<void> {
    await this.reconciling;
    await this.settled();
    for (let next = this.later.next(); next; next = this.later.next()) {
      await next;
      await this.settled();
    }
  }

  /** Hashes of bytes that may be asked for again. */
  *hashes(): Iterable<string> {
    yield* this.known.hashes();
    yield* this.turns.hashes();
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
    this.turns.start(ref, this.services.now(), heads);
  }

  turnEnded(ref: TurnRef, at: number): void {
    const startedAt = this.turns.get(ref)?.startedAt;
    this.turns.end(ref, at);
    if (startedAt !== undefined) this.reconciling = this.reconcile(startedAt);
  }

  /** When the agent of a turn is at work; undefined for a turn not heard of. */
  workOf(ref: TurnRef): TurnWork | undefined {
    return this.turns.get(ref)?.work;
  }

  /** The agent of a turn was at work when it was thought not to be: whose its changes are is found out again. */
  judgeAgain(ref: TurnRef): void {
    const turn = this.turns.get(ref);
    if (!turn) return;
    for (const [file, known] of turn.leftOut) {
      this.known.restore(file, known);
      this.touch(file);
    }
    turn.leftOut.clear();
  }

  /** A tool call or a request named files, perhaps before it changes them. */
  named(ref: TurnRef, files: readonly string[]): void {
    const turn = this.turns.get(ref);
    if (turn && this.namedFiles.add(turn, files)) {
      void this.run('named', () => this.namedFiles.look());
    }
  }

  /** A tool call told what it changes. */
  told(ref: TurnRef, file: string, diff: ToldDiff): void {
    const turn = this.turns.get(ref);
    if (!turn) return;
    this.named(ref, [file]);
    void this.run('told', async () => {
      const target = await canonical(file);
      const list = turn.diffs.get(target) ?? [];
      const same = list.some(
        ({ oldText, newText }) => oldText === diff.oldText && newText === diff.newText,
      );
      if (!same) turn.diffs.set(target, [...list, diff]);
    });
  }

  /**
   * Carries out `write`, by which the agent of `ref` changes `file` through the editor.
   * @throws whatever `write` throws
   */
  async record<T>(ref: TurnRef, given: string, write: () => Promise<T>): Promise<T> {
    const file = await canonical(given);
    if (!this.tracked.isInside(file) || (await this.tracked.isIgnored(file, true))) return write();
    const { writing } = await this.queue.run(async () => {
      // Some agents write the file themselves as well, perhaps before this.
      const touches = new Map([[file, undefined]]);
      const turn = this.turns.get(ref);
      const looked = await this.services.changes.together(() => this.disk.look(touches, turn));
      this.putOff(looked);
      const before = await this.disk.beforeWrite(
        file,
        looked.seen.get(file) ?? (await lookAt(file)),
      );
      const result = this.services.changes.whileWriting(file, write);
      // A write that fails may have done a part; one that hangs must not hold up everything else.
      await Promise.race([result.catch(() => undefined), timeout(MAX_WRITE_MS)]);
      const found = await lookAt(file);
      await this.known.set(file, found);
      const content = await this.disk.contentOf(file, found);
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
      if (!this.known.says(file, found)) await this.disk.userChanged({ path: file, found });
    });
  }

  /** The user created, moved or deleted files or folders in the editor; what is pending in them goes along. */
  managed(moves: readonly Move[]): Promise<void> {
    return this.run('managed', async () => {
      const { changes } = this.services;
      await changes.together(async () => {
        for (const { from, to } of moves) {
          if (from !== undefined && to !== undefined) changes.renamed(from, to);
          const places = [from, to].filter(place => place !== undefined);
          for (const file of await this.disk.filesAt(places)) {
            const found = await lookAt(file);
            const isOld = this.known.says(file, found) && !changes.mayComeBack(file);
            if (isOld || !this.tracked.isInside(file)) continue;
            if (await this.tracked.isIgnored(file, changes.currentOf(file) !== undefined)) continue;
            await this.disk.userChanged({ path: file, found });
          }
        }
      });
    });
  }

  /** What `file` is now is nobody's change. */
  async seen(file: string): Promise<void> {
    await this.known.set(file, await lookAt(file));
  }

  /** Parley itself made `file` what it is. What it has become since is somebody's change. */
  async wrote(file: string, { bytes }: Written): Promise<void> {
    if (!(await this.known.setWritten(file, bytes, await lookAt(file)))) this.touch(file);
  }

  /** Runs `task` between other changes. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.queue.run(task);
  }

  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.touched.size === 0) return this.flushing;
    const given = [...this.touched];
    this.touched.clear();
    const look = async () => {
      // A repository that is made is watched from then on, whether or not a file of it is looked at.
      const roots = new Set(given.map(rootOfGit).filter(root => root !== undefined));
      for (const root of roots) await this.services.git.containing(root);
      const touches = new Map<string, undefined>();
      const folders = new Map<string, Promise<string>>();
      for (const name of given) {
        for (const file of await placesOf(name, folders)) {
          if (this.tracked.isInside(file)) touches.set(file, undefined);
        }
      }
      await this.lookAtTouched(touches);
      const rules = [...touches.keys()].filter(file => path.basename(file) === '.gitignore');
      // Rules that an agent made count once the user agrees to them.
      if (rules.some(file => !this.services.changes.currentOf(file))) await this.dropIgnored();
    };
    this.flushing = this.flushing.then(look).catch((error: unknown) => {
      this.services.logger.error('Tracking failed: flush', error);
      this.tryAgain(given);
    });
    return this.flushing;
  }

  private putOff({ later, failed }: Pick<LookedAt, 'later' | 'failed'>): void {
    for (const [file, until] of later) this.later.add(file, until);
    this.tryAgain(failed);
  }

  private tryAgain(files: Iterable<string>): void {
    for (const file of files) this.again.add(file, this.services.now() + TRY_AGAIN_MS);
  }

  /** Nothing of what the user ignores is kept, also if it is only ignored since a moment ago. */
  private dropIgnored(): Promise<void> {
    return this.run('dropIgnored', async () => {
      const { changes } = this.services;
      const reviewed = [...changes.paths()];
      const known = Array.from(this.known.there(), ([file]) => file);
      const ignored = await this.tracked.ignoredOf([...reviewed, ...known], () => true);
      for (const file of ignored) {
        this.known.forget(file);
        changes.forget(file);
      }
    });
  }

  /** Some files at a time, so that decisions and writes need not wait for thousands. */
  private async lookAtTouched(touches: Touches): Promise<void> {
    const { changes } = this.services;
    for (let rest = touches; rest.size > 0;) {
      const given = rest;
      const looked = await this.run('touched', () => changes.together(() => this.disk.look(given)));
      if (looked) this.putOff(looked);
      else this.tryAgain(given.keys());
      rest = looked?.rest ?? new Map<string, undefined>();
    }
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
    const files = new Map<string, undefined>();
    for (const file of changed) if (this.tracked.isInside(file)) files.set(file, undefined);
    await this.lookAtTouched(files);
  }

  /** What the user committed while no window was open is kept by that. Call it exclusively. */
  committedSince(heads: ReadonlyMap<string, string>): Promise<void> {
    return this.commits.since(heads);
  }

  private async onHeadMove(move: HeadMove): Promise<void> {
    await this.flush();
    await this.run('headMoved', () => this.commits.moved(move));
  }

  /** Undefined when `task` failed. */
  private async run<T>(what: string, task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.queue.run(task);
    } catch (error) {
      this.services.logger.error(`Tracking failed: ${what}`, error);
      return undefined;
    }
  }
}

function timeout(milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, milliseconds).unref();
  });
}

/** The folder whose `.git`, or something in it, `file` is. */
function rootOfGit(file: string): string | undefined {
  const parts = file.split(path.sep);
  const at = parts.indexOf('.git');
  return at < 0 ? undefined : parts.slice(0, at).join(path.sep) || path.sep;
}
