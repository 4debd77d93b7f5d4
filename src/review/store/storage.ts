import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Ledger } from '../core/ledger';
import type { FileContent } from '../model';
import { hashOf, type Blobs } from './blobs';
import { latestThatFit, type Recoverable } from './historyLimit';
import { readLedger, storedLedger, type StoredContent, type StoredLedger } from './ledgerJson';
import type { StoredOriginal } from '../checkpoints/originals';
import type { Rewind, StoredRewind } from '../checkpoints/rewind';
import type { ReviewService } from '../reviewService';

/** How long changes are collected before they are written, in milliseconds. */
const WRITE_AFTER_MS = 300;
/** Writing takes at most one part in so many of the time. */
const MOST_PART = 5;
/** How long after a failure writing is tried again, in milliseconds. */
const TRY_AGAIN_MS = 30_000;

/** How long a state that could not be read is kept, in milliseconds. */
const MAX_QUARANTINE_MS = 30 * 24 * 60 * 60_000;

/** Bytes of a workspace's pending changes and of what can be taken back: undos and restore points. */
export const MAX_STORED_BYTES = 200 * 1024 * 1024;
/** However much is pending, this part of the limit is there for what can be taken back. */
const LEAST_HISTORY = 1 / 4;

interface StoredState {
  readonly version: 1;
  readonly ledger: StoredLedger;
  readonly originals: readonly (readonly [string, StoredOriginal])[];
  readonly rewind: StoredRewind;
  readonly removed?: readonly (readonly [string, StoredOriginal])[];
  /** Where HEAD was, by the root of each repository. */
  readonly heads?: readonly (readonly [string, string])[];
}

export interface StorageParts {
  /** Absolute; made when first written to. */
  readonly folder: string;
  readonly blobs: Blobs;
  readonly review: ReviewService;
  readonly rewind: Rewind;
  readonly logger: Logger;
  /** Where HEAD was when last asked, by the root of each repository. */
  heads(): Promise<ReadonlyMap<string, string>>;
  /** Hashes that others still need. */
  inUse(): Iterable<string>;
  /** Default `MAX_STORED_BYTES`. */
  readonly maxBytes?: number;
}

/**
 * The review outlives the window: one file says what is pending, by the hashes of texts that are kept beside
 * it. It is written all or nothing, a little after each change, the texts before what names them.
 */
export class ReviewStorage implements Disposable {
  private readonly subscriptions: readonly Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private loaded = false;
  private disposed = false;
  private readonly hashes = new WeakMap<FileContent, string>();
  private hasFailed = false;
  /** There is a state that could neither be read nor set aside. */
  private isInTheWay = false;
  /** How long the last write took, in milliseconds: with thousands of files it is dear. */
  private took = 0;
  private readonly forgot = new Emitter<string>();
  /** The oldest undos or restore points had to go; a sentence for the user. */
  readonly onDidForget = this.forgot.event;
  private readonly failed = new Emitter<string>();
  /** Writing begins to fail, which loses nothing while the window is open; a sentence for the user. */
  readonly onDidFail = this.failed.event;

  constructor(private readonly parts: StorageParts) {
    const soon = () => this.soon();
    this.subscriptions = [parts.review.onDidChangeState(soon), parts.rewind.onDidChange(soon)];
  }

  /**
   * Brings back what an earlier window left. A state that cannot be read, or that a newer version wrote, counts
   * as none and is set aside.
   * @returns where HEAD was, by the root of each repository
   */
  async load(): Promise<ReadonlyMap<string, string>> {
    const { review, rewind } = this.parts;
    try {
      const text = await readIfThere(this.file);
      const state = text === undefined ? undefined : (JSON.parse(text) as StoredState);
      if (state) {
        if (state.version !== 1) throw new Error(`Version ${String(state.version)} is not known`);
        review.originals.restore(state.originals);
        review.removed.restore(state.removed);
        rewind.restore(state.rewind);
        review.restore(await readLedger(state.ledger, content => this.read(content)));
      }
      await this.collect(state);
      return new Map(state?.heads);
    } catch (error) {
      await this.quarantine(error);
      return new Map();
    } finally {
      this.loaded = true;
    }
  }

  /** What cannot be read is not overwritten: somebody, or a newer version, may still be able to. */
  private async quarantine(error: unknown): Promise<void> {
    const { logger } = this.parts;
    try {
      await rename(this.file, this.quarantined);
      const now = new Date();
      await utimes(this.quarantined, now, now).catch(() => undefined);
      logger.error(
        `The pending changes of the last window could not be read; they are in ${this.quarantined} now`,
        error,
      );
    } catch (failed) {
      this.isInTheWay = true;
      logger.error('The pending changes of the last window could not be read', error);
      logger.error(`${this.file} could not be set aside, so nothing is saved`, failed);
    }
  }

  /** Forgets texts that nothing names, not even a state that was set aside. */
  private async collect(state: StoredState | undefined): Promise<void> {
    let quarantined: string | undefined;
    try {
      const since = (await stat(this.quarantined).catch(() => undefined))?.mtimeMs ?? Infinity;
      if (Date.now() - since > MAX_QUARANTINE_MS) await rm(this.quarantined, { recursive: true });
      quarantined = await readIfThere(this.quarantined);
    } catch {
      // Nobody knows what it names.
      return;
    }
    const named = quarantined?.match(HASHES) ?? [];
    await this.parts.blobs.collect(new Set([...this.used(state), ...this.parts.inUse(), ...named]));
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
  }

  private get file(): string {
    return path.join(this.parts.folder, 'review.json');
  }

  private get quarantined(): string {
    return path.join(this.parts.folder, 'review.unreadable.json');
  }

  private soon(after = Math.max(WRITE_AFTER_MS, this.took * (MOST_PART - 1))): void {
    // A write that was under way when this was disposed of, and fails, is not tried again.
    if (this.disposed) return;
    // What was just read need not be written.
    if (this.loaded) this.timer ??= setTimeout(() => void this.flush(), after);
  }

  private async write(): Promise<void> {
    const { folder, blobs, review, rewind, logger } = this.parts;
    const began = performance.now();
    try {
      if (this.isInTheWay) throw new Error(`${this.file} cannot be read, and is not overwritten`);
      // Asked before the rest is put together, so that all of it is of one moment.
      const heads = await this.parts.heads();
      const texts = new Map<string, string>();
      let ledger = storedLedger(review.state, content => this.stored(content, texts));
      for (const [hash, text] of texts) {
        if (!blobs.holds(hash)) await blobs.put(Buffer.from(text, 'utf8'), hash);
      }
      if (this.forgetOldest(ledger)) {
        ledger = storedLedger(review.state, content => this.stored(content, texts));
      }
      const files = placesIn(review.state);
      review.originals.retain(files);
      review.removed.retain(files);
      const state: StoredState = {
        version: 1,
        ledger,
        originals: review.originals.entries(),
        removed: review.removed.entries(),
        rewind: rewind.stored(),
        heads: [...heads],
      };
      await blobs.flush();
      await mkdir(folder, { recursive: true });
      const temporary = `${this.file}.${randomUUID()}.new`;
      try {
        await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
        await rename(temporary, this.file);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
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

  /** Makes what is kept small enough: the oldest of what can be taken back goes, what is pending never. */
  private forgetOldest(ledger: StoredLedger): boolean {
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
    if (undos.count === all.undos && turns.count === all.turns) return false;
    review.retainUndos(undos.count);
    rewind.retainTurns(turns.count);
    logger.info(
      `Forgot the oldest ${all.undos - undos.count} undos and ${all.turns - turns.count} restore points: more than ${maxBytes} bytes`,
    );
    this.forgot.fire(
      l10n.t(
        'Undo history is limited to {0} MB per workspace. The oldest undone changes and restore points were removed. Pending changes stay.',
        Math.round(maxBytes / 1024 / 1024),
      ),
    );
    return true;
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
    const bytes = await this.parts.blobs.get(content.blob);
    return bytes && { kind: 'text', text: Buffer.from(bytes).toString('utf8') };
  }

  private *used(state: StoredState | undefined): Iterable<string> {
    if (!state) return;
    for (const [, review] of state.ledger.files) {
      yield* hashesIn(review.baseline);
      yield* hashesIn(review.current);
    }
    for (const { undone } of state.ledger.undos.flatMap(({ parts }) => parts)) {
      if (undone.kind === 'lines') continue;
      yield* hashesIn(undone.before.baseline);
      yield* hashesIn(undone.before.current);
      yield* hashesIn(undone.after);
    }
    const { originals, removed } = this.parts.review;
    for (const [, { hash }] of [...originals.entries(), ...removed.entries()]) yield hash;
    yield* this.parts.rewind.hashes();
  }
}

/** Hashes of texts, wherever a state of whatever version has them. */
const HASHES = /\b[0-9a-f]{64}\b/g;

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Where the files under review are, and where they come back to. */
function placesIn({ files, undos }: Ledger): ReadonlySet<string> {
  const places = new Set(files.keys());
  for (const { renamedFrom } of files.values())
    if (renamedFrom !== undefined) places.add(renamedFrom);
  for (const { undone } of undos.flatMap(({ parts }) => parts)) {
    if (undone.kind === 'lines' || undone.before.renamedFrom === undefined) continue;
    places.add(undone.before.renamedFrom);
  }
  return places;
}

function* hashesIn(content: StoredContent): Iterable<string> {
  if (content.kind === 'text') yield content.blob;
  else if (content.kind === 'binary') yield content.hash;
}

function undoCost({ parts }: StoredLedger['undos'][number]): Recoverable {
  const hashes: string[] = [];
  let bytes = 0;
  for (const { undone } of parts) {
    if (undone.kind === 'lines') {
      for (const line of [...undone.restored, ...undone.removed]) bytes += line.length;
    } else {
      const { before, after } = undone;
      for (const content of [before.baseline, before.current, after]) {
        hashes.push(...hashesIn(content));
      }
    }
  }
  return { hashes, bytes };
}

/** A sentence for the user, with what to do. */
function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? l10n.t(
        'The disk is full, so pending changes cannot be saved. They are kept while this window is open. Free some space; Parley tries again.',
      )
    : l10n.t(
        'Pending changes cannot be saved. They are kept while this window is open, and Parley tries again. See the log.',
      );
}
