import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { FileError } from '../../session/ports';
import type { FileReview } from '../core/fileReview';
import * as core from '../core/ledger';
import type { Ledger, Step } from '../core/ledger';
import { sameContent } from '../core/lines';
import type { FileContent, PendingFile, ReviewOutcome, ReviewTarget, TurnRef } from '../model';
import type { Review } from '../review';
import type { Baseline } from './baselines';
import type { Blobs } from './blobs';
import { lookAt } from './diskFile';
import { movedPath, Originals, type Original, type StoredOriginal } from './originals';
import type { EditorFiles } from './ports';
import type { TrackedChanges } from './trackedChanges';

export interface ReviewServices {
  readonly files: EditorFiles;
  readonly blobs: Blobs;
  readonly logger: Logger;
  /** Runs a task between the changes that tracking finds. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Parley itself has made the file what it is now. */
  wrote(path: string): Promise<void>;
  /** The resolved path of a file. */
  canonical(path: string): string;
}

/** What an agent did to a file, whether or not there is anything to decide on. */
export interface AgentChange {
  readonly path: string;
  /** Just before; undefined when nobody can say. */
  readonly before: FileContent | undefined;
  readonly after: FileContent;
  readonly turn: TurnRef;
  /** The bytes it had before, where they are known. */
  readonly original: StoredOriginal | undefined;
}

/** How long what the user types is collected, in milliseconds: finding hunks anew takes time in a long file. */
const TYPING_MS = 100;

/** Files deleted by the user whose pending changes are remembered. */
const MAX_DELETED = 200;
/** Files whose review is remembered while git has them away. */
const MAX_PUT_ASIDE = 200;

type Failure = ReviewOutcome['failures'][number];

/** The review: keeps the ledger, carries out decisions, and tells what is pending. */
export class ReviewService implements Review, TrackedChanges, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new Emitter<readonly string[]>();
  readonly onDidChange = this.changed.event;
  private readonly recorded = new Emitter<AgentChange>();
  readonly onDidRecord = this.recorded.event;
  private readonly stateChanged = new Emitter<void>();
  /** What is to be stored is not what it was. */
  readonly onDidChangeState = this.stateChanged.event;
  private readonly renamedFile = new Emitter<{ readonly from: string; readonly to: string }>();
  readonly onDidRename = this.renamedFile.event;
  private readonly forgot = new Emitter<string>();
  /** Nothing of the file at that path is to be kept any more. */
  readonly onDidForget = this.forgot.event;
  readonly originals = new Originals();
  /** Bytes of files that an undo took away. */
  readonly removed = new Originals();
  /** What was pending in files that the user deleted: it is again when they are brought back. */
  private readonly deleted = new Map<string, core.SetAside>();
  private stored: Ledger = core.EMPTY_LEDGER;
  /** What the user has typed since, by path: taken up together, or as soon as anything is asked. */
  private readonly typed = new Map<string, string>();
  private typing: NodeJS.Timeout | undefined;
  private listed: readonly PendingFile[] | undefined;
  /** What was to be decided in files when the user's git took it away; a stash brings it back. */
  private readonly putAside = new Map<string, FileReview>();
  /** What was told last, while changes are collected. */
  private since: Ledger | undefined;
  /** Files that Parley is writing: what their documents do meanwhile is not the user's typing. */
  private readonly writing = new Set<string>();

  constructor(private readonly services: ReviewServices) {
    for (const emitter of [
      this.changed,
      this.recorded,
      this.stateChanged,
      this.renamedFile,
      this.forgot,
    ]) {
      this.disposables.add(emitter);
    }
    this.disposables.add(
      services.files.onDidEdit(({ path, text }) => {
        // Of other files there is nothing to follow, and their text is dear to ask for with every key.
        if (this.writing.has(path) || !this.stored.files.has(path)) return;
        this.typed.set(path, text());
        this.typing ??= setTimeout(() => this.takeTyped(), TYPING_MS);
      }),
    );
  }

  get pending(): readonly PendingFile[] {
    const { ledger } = this;
    return (this.listed ??= core.pendingFiles(ledger));
  }

  get canReinstate(): boolean {
    return this.ledger.undos.length > 0;
  }

  get state(): Ledger {
    return this.ledger;
  }

  get(path: string): PendingFile | undefined {
    return (
      core.pendingAt(this.ledger, path) ??
      core.pendingAt(this.ledger, this.services.canonical(path))
    );
  }

  /** Takes up what an earlier window left. */
  restore(ledger: Ledger): void {
    this.set(ledger);
  }

  keep(target: ReviewTarget): Promise<ReviewOutcome> {
    return this.services.exclusively(() =>
      this.carryOut(core.keep(this.ledger, this.resolved(target))),
    );
  }

  undo(target: ReviewTarget): Promise<ReviewOutcome> {
    return this.services.exclusively(async () => {
      const resolved = this.resolved(target);
      const outcome = await this.carryOut(core.undo(this.ledger, resolved));
      return { ...outcome, failures: [...outcome.failures, ...this.notUndoable(resolved)] };
    });
  }

  reinstate(): Promise<ReviewOutcome> {
    return this.services.exclusively(async () => {
      const { steps, impossible } = core.reinstate(this.ledger);
      const outcome = await this.carryOut(steps);
      if (impossible.length > 0 && outcome.failures.length === 0) {
        this.set(core.withoutLatestUndo(this.ledger));
      }
      const message = l10n.t(
        'These lines have been changed since, so the undone change has no place any more.',
      );
      const failures = [...outcome.failures, ...impossible.map(path => ({ path, message }))];
      return { ...outcome, failures };
    });
  }

  dispose(): void {
    clearTimeout(this.typing);
    this.disposables.dispose();
  }

  // ── what tracking finds ────────────────────────────────────────────────────────────────────────────

  paths(): Iterable<string> {
    return this.ledger.files.keys();
  }

  currentOf(path: string): FileContent | undefined {
    return core.currentOf(this.ledger, path);
  }

  async together<T>(task: () => Promise<T>): Promise<T> {
    this.since ??= this.stored;
    try {
      return await task();
    } finally {
      const before = this.since;
      this.since = undefined;
      this.tell(before);
    }
  }

  async whileWriting<T>(path: string, write: () => Promise<T>): Promise<T> {
    this.writing.add(path);
    try {
      return await write();
    } finally {
      this.writing.delete(path);
    }
  }

  async agentChanged(
    path: string,
    baseline: Baseline | undefined,
    current: FileContent,
    turn: TurnRef,
  ): Promise<void> {
    const before = baseline?.content;
    if (before && sameContent(before, current)) return;
    // Not waited for here: the next change may build on this one.
    const kept =
      baseline?.bytes && !core.pendingAt(this.ledger, path)
        ? this.originals.put(path, baseline, this.services.blobs)
        : undefined;
    this.deleted.delete(path);
    this.set(core.agentChanged(this.ledger, path, before, current, turn));
    const original = this.originals.stored(path);
    this.recorded.fire({ path, before, after: current, turn, original });
    await kept;
  }

  mayComeBack(path: string): boolean {
    return this.deleted.has(path);
  }

  userChanged(path: string, current: FileContent): void {
    const before = this.ledger;
    const gone = this.deleted.get(path);
    this.deleted.delete(path);
    if (gone && sameContent(gone.review.current, current)) {
      this.set(core.broughtBack(before, path, gone));
      return;
    }
    const aside = current.kind === 'absent' ? core.setAside(before, path) : undefined;
    if (aside) {
      this.deleted.set(path, aside);
      for (const oldest of [...this.deleted.keys()].slice(0, -MAX_DELETED)) {
        this.deleted.delete(oldest);
      }
    }
    this.set(core.userChanged(before, path, current));
  }

  renamed(from: string, to: string): void {
    for (const path of [...this.ledger.files.keys()]) {
      const now = movedPath(path, from, to);
      if (now === undefined) continue;
      this.set(core.userRenamed(this.ledger, path, now));
      this.originals.move(path, now);
      this.removed.move(path, now);
    }
    // The disk may have told first that the file is gone.
    for (const [path, aside] of [...this.deleted]) {
      const now = movedPath(path, from, to);
      if (now === undefined) continue;
      this.deleted.delete(path);
      this.deleted.set(now, aside);
    }
    this.renamedFile.fire({ from, to });
  }

  forget(path: string): void {
    this.set(core.withoutFile(this.ledger, path));
    this.deleted.delete(path);
    this.putAside.delete(path);
    this.forgot.fire(path);
  }

  /** Forgets the oldest undos, so that `count` are left. */
  retainUndos(count: number): void {
    this.set(core.withLatestUndos(this.ledger, count));
  }

  /** The file was taken back to before these turns, which had made it something else. */
  rewound(path: string, current: FileContent, turns: readonly TurnRef[]): void {
    // As if the user had done it by hand: what other turns did in the file stays to be decided.
    this.set(core.withoutTurns(core.userChanged(this.ledger, path, current), path, turns));
  }

  /** The file is again what it was when `review` said what is to be decided in it. */
  resume(path: string, review: FileReview): void {
    this.set(core.resumed(this.ledger, path, review));
  }

  isPutAside(path: string): boolean {
    return this.putAside.has(path);
  }

  takeUp(path: string, current: FileContent): boolean {
    const review = this.putAside.get(path);
    if (!review || !sameContent(review.current, current)) return false;
    this.putAside.delete(path);
    this.resume(path, review);
    return true;
  }

  settled(path: string, current: FileContent): void {
    const ledger = core.withoutRename(this.ledger, path, current);
    const review = ledger.files.get(path);
    if (review && core.pendingAt(ledger, path)) this.putAside.set(path, review);
    const [oldest] = this.putAside.keys();
    if (this.putAside.size > MAX_PUT_ASIDE && oldest !== undefined) this.putAside.delete(oldest);
    this.set(core.settled(ledger, path, current));
  }

  async headMoved(contentOf: (path: string) => Promise<FileContent | undefined>): Promise<void> {
    for (const { path } of this.pending) {
      const content = await contentOf(path);
      if (content) this.set(core.committed(this.ledger, path, content));
    }
  }

  // ── decisions ──────────────────────────────────────────────────────────────────────────────────────

  private async carryOut(steps: readonly Step[]): Promise<ReviewOutcome> {
    const failures: Failure[] = [];
    let decided = 0;
    // Where a file takes the place of a folder, or the other way round, one has to go first.
    const isGoing = ({ writes }: Step) => writes.every(({ to }) => to.kind === 'absent');
    for (const step of [...steps.filter(isGoing), ...steps.filter(one => !isGoing(one))]) {
      try {
        for (const write of step.writes) await this.write(write);
        // Before anything else can happen: what the documents say is what the ledger says.
        this.set(step.apply(this.ledger));
        decided += step.decided;
      } catch (error) {
        failures.push({ path: step.path, message: this.sentence(step.path, error) });
      }
      for (const { path } of step.writes) {
        this.writing.delete(path);
        await this.services.wrote(path);
      }
    }
    return { decided, failures };
  }

  /** The file stays marked as being written: its document may tell of it only later. */
  private async write({ path, from, to }: Step['writes'][number]): Promise<void> {
    const { files, blobs } = this.services;
    if (!sameContent(await files.read(path), from)) {
      throw new FileError(
        'changedOnDisk',
        l10n.t('The file has just been changed. Look at it again, then decide.'),
      );
    }
    if (to.kind === 'absent') {
      const found = await lookAt(path);
      if (found.kind === 'file' && found.bytes) await this.removed.put(path, found, blobs);
    }
    this.writing.add(path);
    await files.write(path, to, await this.originalOf(path, to));
  }

  /** What the file's bytes and mode were when it said `content`, or else before the agent came. */
  private async originalOf(path: string, content: FileContent): Promise<Original | undefined> {
    const { files, blobs } = this.services;
    const original = await this.originals.get(path, blobs);
    const removed = await this.removed.get(path, blobs);
    const says = async (one: Original | undefined) =>
      one !== undefined && sameContent(await files.decode(path, one.bytes), content);
    return (await says(removed)) && !(await says(original)) ? removed : (original ?? removed);
  }

  private sentence(path: string, error: unknown): string {
    if (error instanceof FileError) return error.message;
    this.services.logger.error(`${path} could not be written`, error);
    return l10n.t('It could not be written. The log says why.');
  }

  private notUndoable(target: ReviewTarget): readonly Failure[] {
    if (target.kind === 'hunk') return [];
    const message = l10n.t(
      'It is not known what this file was before the agent changed it, so the change can only be kept.',
    );
    return this.pending
      .filter(({ baselineUnknown }) => baselineUnknown)
      .filter(file => isMeant(file, target))
      .map(({ path }) => ({ path, message }));
  }

  private resolved(target: ReviewTarget): ReviewTarget {
    if (target.kind !== 'file' && target.kind !== 'hunk') return target;
    const path = this.get(target.path)?.path ?? target.path;
    return { ...target, path };
  }

  /** With everything in it that the user has typed until now. */
  private get ledger(): Ledger {
    this.takeTyped();
    return this.stored;
  }

  private takeTyped(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    if (this.typed.size === 0) return;
    const edits = [...this.typed];
    this.typed.clear();
    for (const [path, text] of edits) {
      this.set(core.userChanged(this.stored, path, { kind: 'text', text }));
    }
  }

  private set(ledger: Ledger): void {
    const before = this.stored;
    if (ledger === before) return;
    this.stored = ledger;
    this.listed = undefined;
    if (this.since === undefined) this.tell(before);
  }

  /** Tells what is not as it was in `before`. */
  private tell(before: Ledger): void {
    const { stored } = this;
    if (stored === before) return;
    const paths = [...new Set([...before.files.keys(), ...stored.files.keys()])].filter(
      path =>
        before.files.get(path) !== stored.files.get(path) &&
        core.pendingAt(before, path) !== core.pendingAt(stored, path),
    );
    this.stateChanged.fire();
    if (paths.length > 0 || before.undos !== stored.undos) this.changed.fire(paths);
  }
}

function isMeant({ path, turns }: PendingFile, target: ReviewTarget): boolean {
  switch (target.kind) {
    case 'hunk':
    case 'file':
      return path === target.path;
    case 'turn':
      return turns.some(
        ({ chatId, turnId }) => chatId === target.turn.chatId && turnId === target.turn.turnId,
      );
    case 'chat':
      return turns.some(({ chatId }) => chatId === target.chatId);
    case 'all':
      return true;
  }
}
