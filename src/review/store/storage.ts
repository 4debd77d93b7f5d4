import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { EMPTY_LEDGER, type Ledger } from '../core/ledger';
import { mergeLedgers } from '../core/mergeLedgers';
import type { FileContent } from '../model';
import { hashOf, UnreadBlobError, type Blobs } from './blobs';
import { latestThatFit } from './historyLimit';
import { readLedger, storedLedger, type StoredContent, type StoredLedger } from './ledgerJson';
import { mergeStates } from './mergeStates';
import { OpenWindows } from './openWindows';
import { StateFile, type Lock } from './stateFile';
import {
  hashesIn,
  hashesOf,
  parseState,
  placesIn,
  undoCost,
  type StoredState,
} from './storedState';
import { UnreadableStates } from './unreadableStates';
import type { Tracker } from '../checkpoints/tracker';
import type { Rewind } from '../checkpoints/rewind';
import type { ReviewService } from '../reviewService';

/** How long changes are collected before they are written, in milliseconds. */
const WRITE_AFTER_MS = 300;
/** Writing takes at most one part in so many of the time. */
const MOST_PART = 5;
/** How long after a failure writing is tried again, in milliseconds. */
const TRY_AGAIN_MS = 30_000;

/** Bytes of a workspace's pending changes and of what can be taken back: undos and restore points. */
export const MAX_STORED_BYTES = 200 * 1024 * 1024;
/** However much is pending, this part of the limit is there for what can be taken back. */
const LEAST_HISTORY = 1 / 4;

export interface StorageParts {
  /** Absolute; made when first written to. */
  readonly folder: string;
  readonly blobs: Blobs;
  readonly review: ReviewService;
  readonly rewind: Rewind;
  readonly logger: Logger;
  /** Where HEAD was when last asked, by the root of each repository. */
  heads(): Promise<ReadonlyMap<string, string>>;
  readonly tracker: Pick<Tracker, 'exclusively' | 'hashes' | 'settled' | 'touch'>;
  readonly whileLocked: Lock;
  /** Default `MAX_STORED_BYTES`. */
  readonly maxBytes?: number;
}

/**
 * The review outlives the window: one file says what is pending, by the hashes of texts that are kept beside
 * it. It is written all or nothing, a little after each change, the texts before what names them. Where several windows
 * have it open, what another one has written becomes a part of it first.
 */
export class ReviewStorage implements Disposable {
  private readonly subscriptions: readonly Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private loaded = false;
  private disposed = false;
  private readonly hashes = new WeakMap<FileContent, string>();
  private hasFailed = false;
  /** How long the last write took, in milliseconds: with thousands of files it is dear. */
  private took = 0;
  private readonly forgot = new Emitter<string>();
  /** The oldest undos or restore points had to go; a sentence for the user. */
  readonly onDidForget = this.forgot.event;
  private readonly failed = new Emitter<string>();
  /** Writing begins to fail, which loses nothing while the window is open; a sentence for the user. */
  readonly onDidFail = this.failed.event;
  private readonly state: StateFile;
  private readonly windows: OpenWindows;
  private readonly unreadable: UnreadableStates;
  private isTakingUp = false;
  private readonly tookUp = new Emitter<readonly string[]>();
  /** What other windows have under review has come into this one: the paths of all of it. */
  readonly onDidTakeUp = this.tookUp.event;
  private readonly keepApart = new Emitter<string>();
  /** What an earlier window left could not be read, and is at this path now. */
  readonly onDidKeepApart = this.keepApart.event;

  constructor(private readonly parts: StorageParts) {
    const { folder, whileLocked } = parts;
    this.state = new StateFile(this.file, whileLocked);
    this.windows = new OpenWindows(path.join(folder, 'windows'));
    this.unreadable = new UnreadableStates(folder);
    const soon = () => this.soon();
    this.subscriptions = [parts.review.onDidChangeState(soon), parts.rewind.onDidChange(soon)];
  }

  /**
   * Brings back what an earlier window left. A state of another form, or that a newer version wrote, counts as none
   * and is kept apart. One that cannot be read now comes later, like what another window writes.
   * @returns where HEAD was, by the root of each repository
   */
  async load(): Promise<ReadonlyMap<string, string>> {
    await this.windows.enter();
    let state: StoredState | undefined;
    try {
      const isUnderstood = await this.understand(async text => {
        const stored = parseState(text);
        this.restore(stored, await this.ledgerOf(stored));
        state = stored;
      });
      if (isUnderstood) await this.collect(state);
      this.loaded = true;
    } catch (error) {
      this.parts.logger.error('The pending changes of the last window cannot be read now', error);
      this.loaded = true;
      this.soon(TRY_AGAIN_MS);
    }
    return new Map(state?.heads);
  }

  /** Brings what other windows have written since. Never rejects. */
  refresh(): Promise<void> {
    this.writing = this.writing.then(async () => {
      try {
        if (this.loaded && (await this.state.hasChanged())) await this.takeUp();
      } catch (error) {
        this.parts.logger.error('What other windows have under review cannot be read now', error);
      }
    });
    return this.writing;
  }

  /** What another window has written is a part of the review from now on. @throws when it cannot be read now */
  private async takeUp(): Promise<void> {
    const { review, tracker } = this.parts;
    // What this window has seen of its files is to be the latest.
    for (const path of review.state.files.keys()) tracker.touch(path);
    await tracker.settled();
    await tracker.exclusively(() => this.understand((text, known) => this.merge(known, text)));
    this.tookUp.fire([...review.state.files.keys()]);
  }

  /**
   * Only what was read and says nothing is kept apart: what cannot be read now may be as good as ever.
   * @returns whether `take` made something of the state, or there is none
   */
  private understand(
    take: (text: string, known: string | undefined) => Promise<void>,
  ): Promise<boolean> {
    return this.state.read(async (text, known) => {
      try {
        if (text !== undefined) await take(text, known);
        return true;
      } catch (error) {
        if (error instanceof UnreadBlobError) throw error;
        await this.quarantine(error);
        return false;
      }
    });
  }

  private async merge(known: string | undefined, text: string): Promise<void> {
    const { review } = this.parts;
    const base = known === undefined ? undefined : parseState(known);
    const theirs = parseState(text);
    const ledgers = [base, theirs].map(state => this.ledgerOf(state));
    const [before, other] = (await Promise.all(ledgers)) as [Ledger, Ledger];
    const rest = mergeStates(base, this.restNow(), theirs);
    this.isTakingUp = true;
    try {
      this.restore(rest, mergeLedgers(before, review.state, other));
    } finally {
      this.isTakingUp = false;
    }
  }

  private async ledgerOf(state: StoredState | undefined): Promise<Ledger> {
    return state ? readLedger(state.ledger, content => this.read(content)) : EMPTY_LEDGER;
  }

  private restore(
    { originals, removed, rewind }: Pick<StoredState, 'originals' | 'removed' | 'rewind'>,
    ledger: Ledger,
  ): void {
    const { review } = this.parts;
    review.originals.restore(originals);
    review.removed.restore(removed);
    this.parts.rewind.restore(rewind);
    review.restore(ledger);
  }

  /**
   * What says nothing is not overwritten: somebody, or a newer version, may still be able to read it.
   * @throws what the file system says when it stays where it is: then nothing can be written
   */
  private async quarantine(error: unknown): Promise<void> {
    const { logger } = this.parts;
    const unreadable = 'The pending changes of the last window could not be read';
    const place = await this.unreadable.take(this.file).catch((failed: unknown) => {
      logger.error(unreadable, error);
      throw failed;
    });
    logger.error(`${unreadable}; they are in ${place} now`, error);
    this.keepApart.fire(place);
  }

  /** Deletes texts that no state refers to, kept unreadable ones included. Not while other windows are open: theirs are not known. */
  private async collect(state: StoredState | undefined): Promise<void> {
    if (await this.windows.haveOthers()) return;
    const named = await this.unreadable.hashes().catch(() => undefined);
    if (!named) return;
    await this.parts.blobs.collect(
      new Set([...this.used(state), ...this.parts.tracker.hashes(), ...named]),
    );
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.writing = this.writing.then(() => this.write());
    }
    await this.writing;
  }

  dispose(): void {
    this.disposed = true;
    for (const subscription of this.subscriptions) subscription.dispose();
    clearTimeout(this.timer);
    this.forgot.dispose();
    this.failed.dispose();
    this.keepApart.dispose();
    this.tookUp.dispose();
    this.windows.dispose();
  }

  private get file(): string {
    return path.join(this.parts.folder, 'review.json');
  }

  private soon(after = Math.max(WRITE_AFTER_MS, this.took * (MOST_PART - 1))): void {
    // A write that was under way when this was disposed of, and fails, is not tried again.
    if (this.disposed || this.isTakingUp) return;
    // What was just read need not be written.
    if (this.loaded) this.timer ??= setTimeout(() => void this.flush(), after);
  }

  private async write(): Promise<void> {
    const { logger } = this.parts;
    const began = performance.now();
    try {
      // Before the file is locked: it may take long.
      const texts = new Map<string, string>();
      storedLedger(this.parts.review.state, content => this.stored(content, texts));
      await this.put(texts);
      let state: StoredState | undefined;
      const make = async () => JSON.stringify((state = await this.stateToWrite()));
      while (!(await this.state.write(make))) await this.takeUp();
      this.hasFailed = false;
      await this.collect(state);
    } catch (error) {
      logger.error('The pending changes could not be written', error);
      if (!this.hasFailed) this.failed.fire(whyNot(error));
      this.hasFailed = true;
      this.soon(TRY_AGAIN_MS);
    } finally {
      this.took = performance.now() - began;
    }
  }

  /** With its texts kept, small enough, and without what nobody needs. */
  private async stateToWrite(): Promise<StoredState> {
    const { blobs, review } = this.parts;
    // Asked before the rest is put together, so that all of it is of one moment.
    const heads = await this.parts.heads();
    const texts = new Map<string, string>();
    const ledger = storedLedger(review.state, content => this.stored(content, texts));
    await this.put(texts);
    this.forgetOldest(ledger);
    const files = placesIn(review.state);
    review.originals.retain(files);
    review.removed.retain(files);
    // What went is not named, and no text has come.
    const state = {
      version: 1,
      ledger: storedLedger(review.state, content => this.stored(content, texts)),
      ...this.restNow(),
      heads: [...heads],
    } as const;
    await blobs.flush();
    return state;
  }

  private restNow(): Pick<StoredState, 'originals' | 'removed' | 'rewind'> {
    const { originals, removed } = this.parts.review;
    return {
      originals: originals.entries(),
      removed: removed.entries(),
      rewind: this.parts.rewind.stored(),
    };
  }

  private async put(texts: ReadonlyMap<string, string>): Promise<void> {
    const { blobs } = this.parts;
    for (const [hash, text] of texts) {
      if (!blobs.holds(hash)) await blobs.put(Buffer.from(text, 'utf8'), hash);
    }
  }

  /** Makes what is kept small enough: the oldest of what can be taken back goes, what is pending never. */
  private forgetOldest(ledger: StoredLedger): void {
    const { blobs, review, rewind, logger, maxBytes = MAX_STORED_BYTES } = this.parts;
    const sizeOf = (hash: string) => blobs.sizeOf(hash);
    const held = new Set<string>();
    for (const [file, { baseline, current }] of ledger.files) {
      for (const hash of [...hashesIn(baseline), ...hashesIn(current)]) held.add(hash);
      const original = review.originals.stored(file);
      if (original) held.add(original.hash);
    }
    let pending = 0;
    for (const hash of held) pending += sizeOf(hash);
    const room = Math.max(maxBytes - pending, maxBytes * LEAST_HISTORY);
    // What was undone is nowhere else; what a restore point holds is as a rule on disk or in git as well.
    const undos = latestThatFit(ledger.undos.map(undoCost), room, held, sizeOf);
    const turns = latestThatFit(rewind.costs(), room - undos.bytes, held, sizeOf);
    const all = { undos: ledger.undos.length, turns: rewind.costs().length };
    if (undos.count === all.undos && turns.count === all.turns) return;
    review.retainUndos(undos.count);
    rewind.retainTurns(turns.count);
    logger.info(
      `Forgot the oldest ${all.undos - undos.count} undos and ${all.turns - turns.count} restore points: more than ${maxBytes} bytes`,
    );
    this.forgot.fire(
      l10n.t(
        'Undo history is limited to {0} MB per workspace. The oldest undone changes and restore points were removed. Pending changes are kept.',
        Math.round(maxBytes / 1024 / 1024),
      ),
    );
  }

  private stored(content: FileContent, texts: Map<string, string>): StoredContent {
    if (content.kind !== 'text') return content;
    const known = this.hashes.get(content);
    const blob = known ?? hashOf(Buffer.from(content.text, 'utf8'));
    this.hashes.set(content, blob);
    texts.set(blob, content.text);
    return { kind: 'text', blob };
  }

  private async read(content: StoredContent): Promise<FileContent | undefined> {
    if (content.kind !== 'text') return content;
    const bytes = await this.parts.blobs.read(content.blob);
    return bytes && { kind: 'text', text: Buffer.from(bytes).toString('utf8') };
  }

  private *used(state: StoredState | undefined): Iterable<string> {
    if (!state) return;
    yield* hashesOf(state.ledger);
    const { originals, removed } = this.parts.review;
    for (const [, { hash }] of [...originals.entries(), ...removed.entries()]) yield hash;
    yield* this.parts.rewind.hashes();
  }
}

/** A sentence for the user, with what to do. */
function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? l10n.t(
        'The disk is full, so pending changes cannot be saved. They are kept while this window is open. Free some space. Parley will try again.',
      )
    : l10n.t(
        'Pending changes cannot be saved. They are kept while this window is open, and Parley will try again. See the log.',
      );
}
