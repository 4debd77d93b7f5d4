import * as path from 'node:path';
import type { Event } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { TurnRef } from '../model';
import type { Written } from '../workingFiles';
import type { Blobs } from '../store/blobs';
import type { AgentProcesses } from './agentProcesses';
import { Checkpoints } from './checkpoints';
import { Commits } from './commits';
import { DiskChanges } from './diskChanges';
import { canonical, lookAt, placesOf } from './diskFile';
import { KnownFiles } from './knownFiles';
import { NamedFiles } from './namedFiles';
import type { EditorFiles, TrackedScope } from './ports';
import type { SnippetDiff } from './reverseDiff';
import { SerialQueue } from './serialQueue';
import { TouchedFiles } from './touchedFiles';
import type { TrackedChanges } from './trackedChanges';
import { TrackedFiles } from './trackedFiles';
import type { TurnRegistry } from './turnRegistry';
import { UserActions, type FileMove } from './userActions';
import type { HeadMove, WorkspaceGit } from './workspaceGit';
import { WorkspaceScan } from './workspaceScan';

export interface TrackerServices {
  readonly files: EditorFiles;
  readonly scope: TrackedScope;
  readonly git: WorkspaceGit;
  readonly blobs: Blobs;
  readonly changes: TrackedChanges;
  readonly processes: AgentProcesses;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** How long the first prompt waits for the first look at the workspace, in milliseconds. */
const FIRST_LOOK_MS = 1_000;
/** How long a prompt waits for changes that are being looked at, in milliseconds. */
const MAX_SETTLE_MS = 2_000;
/** How long other changes wait for a write through the editor, in milliseconds. */
const MAX_WRITE_MS = 10_000;

/**
 * Finds out what agents change in the workspace, whoever's hand it is: the file requests they make, the
 * diffs they give, and what differs on disk from the checkpoint of a turn. What users do is known from the editor, and
 * what their git does from git.
 */
export class Tracker implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly queue = new SerialQueue();
  private readonly checkpoints: Checkpoints;
  private readonly turns: TurnRegistry;
  private readonly disk: DiskChanges;
  readonly known: KnownFiles;
  private readonly scan: WorkspaceScan;
  private readonly tracked: TrackedFiles;
  private readonly touched: TouchedFiles;
  private readonly namedFiles: NamedFiles;
  private readonly user: UserActions;
  private readonly commits: Commits;
  private looking: Promise<void> = Promise.resolve();
  private nextLook: Promise<void> | undefined;
  private closing: Promise<unknown> = Promise.resolve();
  private firstLook: Promise<void> | undefined;

  constructor(private readonly services: TrackerServices) {
    const { files, git, blobs, scope, logger, changes } = services;
    const lookAround = () => this.lookAround();
    this.touched = this.disposables.add(
      new TouchedFiles(given => this.lookAtPlaces(given), logger),
    );
    this.checkpoints = this.disposables.add(new Checkpoints({ ...services, lookAround }));
    this.turns = this.checkpoints.turns;
    this.tracked = new TrackedFiles(scope, git);
    this.known = new KnownFiles(blobs, file => this.tracked.isInside(file));
    this.scan = new WorkspaceScan({ scope, git, known: this.known, logger });
    const { known, tracked, turns } = this;
    const shared = { known, tracked, turns, changes };
    this.namedFiles = new NamedFiles({ ...shared, logger });
    const isComplete = (file: string) => this.scan.isComplete(file);
    const isSaved = (file: string) => this.user.isSaved(file);
    const disk = new DiskChanges({ ...services, ...shared, isComplete, isSaved });
    this.disk = disk;
    this.user = new UserActions({
      ...shared,
      files,
      disk,
      touch: file => this.touch(file),
      run: (what, task) => this.run(what, task),
    });
    this.disposables.add(this.disk.hidden);
    this.commits = new Commits(services);
    this.disposables.add(files.onDidTouch(({ path: file }) => this.touch(file)));
    this.disposables.add(git.onDidMove(move => this.onHeadMove(move)));
  }

  /** An agent wrote to disk, at this path, where the editor has unsaved text. */
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

  /** Resolves when all events so far have been dealt with. */
  async settled(): Promise<void> {
    await this.touched.flush();
    await this.queue.idle();
  }

  /** Resolves when also the looks at the end of commands and turns are done. */
  async idle(): Promise<void> {
    await this.settled();
    await this.closing;
    await this.settled();
  }

  /** Hashes of bytes that may be asked for again. */
  hashes(): Iterable<string> {
    return this.known.hashes();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────

  /** The agent must not get its prompt before this resolves: what is there until then is the user's. */
  async turnStarted(ref: TurnRef, agent: string): Promise<void> {
    await Promise.race([this.start(), timeout(FIRST_LOOK_MS)]);
    // Whatever hangs, the user's prompt does not wait for it for ever.
    await Promise.race([this.catchUp(), timeout(MAX_SETTLE_MS)]);
    const { scope, git } = this.services;
    // Also if the first look has not come to them yet: what HEAD was cannot be found out later.
    await Promise.all(scope.roots().map(root => git.containing(root)));
    await this.checkpoints.open(ref, agent);
  }

  /** What has happened until now is found out, also what events have not reported yet, or never will. */
  private async catchUp(): Promise<void> {
    for (const file of this.services.changes.paths()) this.touched.add(file);
    for (const file of await this.scan.changedUnseen()) this.touched.add(file);
    await this.idle();
    await this.scan.rememberUngoverned(found => this.turns.mayBeOfTurn(found));
  }

  /** The prompt is answered: what only the agent names is looked at once more. */
  turnEnded(ref: TurnRef): void {
    const turn = this.turns.get(ref);
    for (const file of turn?.reported ?? []) this.touch(file);
    const compare = () => this.run('compare', () => this.namedFiles.compare(turn));
    this.untilClosed(this.checkpoints.end(ref).then(compare));
  }

  /** A tool call of the turn runs that may change any file. */
  commandBegan(ref: TurnRef, id: string): void {
    this.checkpoints.began(ref, id);
  }

  commandEnded(ref: TurnRef, id: string): void {
    this.untilClosed(this.checkpoints.ended(ref, id));
  }

  terminalBegan(ref: TurnRef, id: string): void {
    this.checkpoints.terminalBegan(ref, id);
  }

  /** Also one of an earlier turn of the chat. */
  terminalEnded(chatId: string, id: string): void {
    this.untilClosed(this.checkpoints.terminalEnded(chatId, id));
  }

  /** Finds out whether what ended turns have left running has ended. */
  poll(): Promise<void> {
    return this.checkpoints.poll();
  }

  /** Nothing that is nobody's for certain was an agent's, says the user. */
  closeEnded(): void {
    this.checkpoints.closeEnded();
  }

  /**
   * A tool call or a request named files, perhaps before it changes them.
   * @param isClaimed it may change them, and does not only read
   */
  named(ref: TurnRef, files: readonly string[], isClaimed = true): void {
    if (this.namedFiles.add(files.map(file => ({ ref, file, isClaimed })))) {
      void this.run('named', () => this.namedFiles.look());
    }
  }

  /** A tool call said that it has changed these. */
  reported(ref: TurnRef, files: readonly string[]): void {
    for (const file of files) this.turns.get(ref)?.reported.add(file);
  }

  /** A tool call said what it changes. */
  diffed(ref: TurnRef, file: string, diff: SnippetDiff): void {
    this.named(ref, [file]);
    const turn = this.turns.get(ref);
    if (!turn) return;
    void this.run('diffed', async () => {
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
      const touches = new Set([file]);
      const turn = this.turns.get(ref);
      const looked = await this.services.changes.together(() => this.disk.look(touches, turn));
      this.touched.tryAgain(looked.failed);
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
    this.touched.touch(file);
  }

  /**
   * The user saved `file`: that text is the user's, formatters included.
   * @param text what was saved
   */
  saved(file: string, text: string): void {
    if (this.firstLook) this.user.saved(file, text);
  }

  /** The user created, moved or deleted files or folders in the editor; what is pending in them goes along. */
  managed(moves: readonly FileMove[]): Promise<void> {
    return this.user.managed(moves);
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

  /** @param given names of events: of files, folders and links */
  private async lookAtPlaces(given: readonly string[]): Promise<void> {
    // A repository that is made is watched from then on, whether or not a file of it is looked at.
    const roots = new Set(given.map(rootOfGit).filter(root => root !== undefined));
    for (const root of roots) await this.services.git.containing(root);
    const touches = new Set<string>();
    const folders = new Map<string, Promise<string>>();
    for (const name of given) {
      for (const file of await placesOf(name, folders)) {
        if (this.tracked.isInside(file)) touches.add(file);
      }
    }
    await this.lookAtTouched(touches);
    const rules = [...touches].filter(file => path.basename(file) === '.gitignore');
    // Rules that an agent made count once the user agrees to them.
    if (rules.some(file => !this.services.changes.currentOf(file))) await this.dropIgnored();
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
  private async lookAtTouched(touches: ReadonlySet<string>): Promise<void> {
    const { changes } = this.services;
    for (let rest = touches; rest.size > 0;) {
      const given = rest;
      const looked = await this.run('touched', () => changes.together(() => this.disk.look(given)));
      this.touched.tryAgain(looked ? looked.failed : given);
      rest = looked?.rest ?? new Set();
    }
  }

  // ── the workspace ──────────────────────────────────────────────────────────────────────────────────

  private lookAtAll(): Promise<void> {
    return this.scan.remember(found => this.turns.mayBeOfTurn(found));
  }

  /** What differs from what is known, whatever events say. Calls before one begins share it; nothing waits for it. */
  private lookAround(): Promise<void> {
    this.nextLook ??= this.looking = this.looking.then(() => {
      this.nextLook = undefined;
      return this.lookAtChanged();
    });
    return this.nextLook;
  }

  private async lookAtChanged(): Promise<void> {
    try {
      await this.services.git.refreshAll();
      await this.touched.flush();
      const changed = await this.scan.changed(this.turns.all.map(({ heads }) => heads));
      await this.lookAtTouched(new Set(changed.filter(file => this.tracked.isInside(file))));
    } catch (error) {
      this.services.logger.error('Tracking failed: lookAround', error);
    }
  }

  private untilClosed(task: Promise<unknown>): void {
    // Without what they come to: each would keep all before it.
    this.closing = Promise.all([this.closing, task]).then(() => undefined);
  }

  /** What the user committed while no window was open is kept by that. Call it exclusively. */
  committedSince(heads: ReadonlyMap<string, string>): Promise<void> {
    return this.commits.since(heads);
  }

  /** What an agent's command commits stays to be decided, against the checkpoint. */
  private onHeadMove(move: HeadMove): void {
    const { watched, before, after } = move;
    const byAgent = this.turns.isWorking;
    if (after !== undefined && after !== before)
      this.services.git.noteMove(watched, { before, after, byAgent });
    if (byAgent) return;
    void this.touched.flush().then(() => this.run('headMoved', () => this.commits.moved(move)));
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
