import * as l10n from '@vscode/l10n';
import { Emitter } from '../base/event';
import { DisposableStore, type Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import type { FileReview } from './core/fileReview';
import * as core from './core/ledger';
import type { Ledger, Step } from './core/ledger';
import { sameContent } from './core/lines';
import { meantOf } from './core/targets';
import type {
  Author,
  FileContent,
  PendingFile,
  ReviewOutcome,
  ReviewTarget,
  TurnRef,
} from './model';
import type { Review } from './review';
import type { Written } from './workingFiles';
import { ShelvedReviews } from './checkpoints/shelvedReviews';
import type { Baseline } from './checkpoints/baselines';
import type { Blobs } from './store/blobs';
import { DecisionWriter } from './checkpoints/decisionWriter';
import { movedPath, Originals, type StoredOriginal } from './checkpoints/originals';
import type { EditorFiles } from './checkpoints/ports';
import type { TrackedChanges } from './checkpoints/trackedChanges';

export interface ReviewServices {
  readonly files: EditorFiles;
  readonly blobs: Blobs;
  readonly logger: Logger;
  /** Runs a task between the changes that tracking finds. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Parley itself has made the file what it is now. */
  wrote(path: string, written: Written): Promise<void>;
  /** The file may not be what it was thought to be: it is looked at soon. */
  touch(path: string): void;
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

/** What the user says is not an agent's. */
export interface Disowned {
  readonly path: string;
  readonly turns: readonly TurnRef[];
  /** It is said of everything that was nobody's for certain. */
  readonly isAll: boolean;
}

/** How long what the user types is collected, in milliseconds: finding hunks again takes time in a long file. */
const TYPING_MS = 100;

type Failure = ReviewOutcome['failures'][number];

/** The review: keeps the ledger, carries out decisions, and reports what is pending. */
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
  private readonly disowned = new Emitter<Disowned>();
  /** The user says that changes are not an agent's. */
  readonly onDidDisown = this.disowned.event;
  readonly originals = new Originals();
  /** Bytes of files that an undo took away. */
  readonly removed = new Originals();
  private readonly shelved = new ShelvedReviews();
  private stored: Ledger = core.EMPTY_LEDGER;
  /** What the user has typed since, by path: handled together, or as soon as anything is asked. */
  private readonly typed = new Map<string, string>();
  private typing: NodeJS.Timeout | undefined;
  private listed: readonly PendingFile[] | undefined;
  /** The ledger that listeners know, while changes are collected. */
  private since: Ledger | undefined;
  /** Files that Parley is writing: what their documents do meanwhile is not the user's typing. */
  private readonly writing = new Set<string>();
  private readonly writer: DecisionWriter;

  constructor(private readonly services: ReviewServices) {
    const { originals, removed, writing } = this;
    const apply = (step: Step) => this.set(step.apply(this.ledger));
    this.writer = new DecisionWriter({ ...services, originals, removed, writing, apply });
    for (const emitter of [
      this.changed,
      this.recorded,
      this.stateChanged,
      this.renamedFile,
      this.forgot,
      this.disowned,
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

  get canRedo(): boolean {
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

  /** Loads what an earlier window stored. */
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

  redo(): Promise<ReviewOutcome> {
    return this.services.exclusively(async () => {
      const { steps, impossible } = core.redo(this.ledger);
      const outcome = await this.carryOut(steps);
      if (impossible.length > 0 && outcome.failures.length === 0) {
        this.set(core.withoutLatestUndo(this.ledger));
      }
      const message = l10n.t(
        'These lines have changed since, so the undone change no longer fits.',
      );
      const failures = [...outcome.failures, ...impossible.map(path => ({ path, message }))];
      return { ...outcome, failures };
    });
  }

  notTheAgents(paths?: readonly string[]): Promise<ReviewOutcome> {
    return this.services.exclusively(async () => {
      const asked = paths?.map(path => this.get(path)?.path);
      const files = this.pending.filter(({ path, unclaimed }) =>
        asked ? asked.includes(path) : unclaimed !== undefined,
      );
      const target = { kind: 'files', paths: files.map(({ path }) => path) } as const;
      const outcome = await this.writer.carryOut(core.keep(this.ledger, target));
      for (const { path, turns } of files) this.disowned.fire({ path, turns, isAll: !paths });
      return outcome;
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
      this.changedSince(before);
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
    by: Author,
  ): Promise<void> {
    const before = baseline?.content;
    if (before && sameContent(before, current)) return;
    // Not waited for here: the next change may build on this one.
    const kept =
      baseline?.bytes && !core.pendingAt(this.ledger, path)
        ? this.originals.put(path, baseline, this.services.blobs)
        : undefined;
    this.shelved.forget(path);
    this.set(core.agentChanged(this.ledger, path, before, current, by));
    const original = this.originals.stored(path);
    // Whoever it was, going back to before one of the turns is to before this.
    for (const turn of 'unclaimed' in by ? by.unclaimed.map(one => one.turn) : [by]) {
      this.recorded.fire({ path, before, after: current, turn, original });
    }
    await kept;
  }

  claimed(path: string, turn: TurnRef): void {
    this.set(core.claimed(this.ledger, path, turn));
  }

  userChanged(path: string, current: FileContent): void {
    const shelved = current.kind === 'absent' ? core.shelve(this.ledger, path) : undefined;
    if (shelved) this.shelved.put(path, shelved);
    this.set(core.userChanged(this.ledger, path, current));
  }

  settled(path: string, current: FileContent): void {
    const ledger = core.withoutRename(this.ledger, path, current);
    const shelved = core.shelve(ledger, path);
    if (shelved) this.shelved.put(path, shelved);
    this.set(core.settled(ledger, path, current));
  }

  mayComeBack(path: string): boolean {
    return this.shelved.has(path);
  }

  takeUp(path: string, current: FileContent): boolean {
    const shelved = this.shelved.take(path, current);
    if (shelved) this.set(core.broughtBack(this.ledger, path, shelved));
    return shelved !== undefined;
  }

  renamed(from: string, to: string): void {
    for (const path of [...this.ledger.files.keys()]) {
      const now = movedPath(path, from, to);
      if (now === undefined) continue;
      this.set(core.userRenamed(this.ledger, path, now));
      this.originals.move(path, now);
      this.removed.move(path, now);
    }
    this.shelved.move(from, to);
    this.renamedFile.fire({ from, to });
  }

  forget(path: string): void {
    this.set(core.withoutFile(this.ledger, path));
    this.shelved.forget(path);
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

  async headMoved(contentOf: (path: string) => Promise<FileContent | undefined>): Promise<void> {
    for (const { path } of this.pending) {
      const content = await contentOf(path);
      if (content) this.set(core.committed(this.ledger, path, content));
    }
  }

  // ── decisions ──────────────────────────────────────────────────────────────────────────────────────

  /** Listeners and the storage get one change for all of them: what follows a change costs more than the writes do. */
  private carryOut(steps: readonly Step[]): Promise<ReviewOutcome> {
    return this.together(() => this.writer.carryOut(steps));
  }

  private notUndoable(target: ReviewTarget): readonly Failure[] {
    const message = l10n.t(
      'The original content of this file is unknown, so you can only keep the change.',
    );
    return this.pending
      .filter(({ baselineUnknown }) => baselineUnknown)
      .filter(file => meantOf(file, target).kind !== 'none')
      .map(({ path }) => ({ path, message }));
  }

  private resolved(target: ReviewTarget): ReviewTarget {
    const resolve = (path: string) => this.get(path)?.path ?? path;
    if ('path' in target) return { ...target, path: resolve(target.path) };
    return 'paths' in target ? { ...target, paths: target.paths.map(resolve) } : target;
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
    if (this.since === undefined) this.changedSince(before);
  }

  /** Tells what is not as it was in `before`. */
  private changedSince(before: Ledger): void {
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
