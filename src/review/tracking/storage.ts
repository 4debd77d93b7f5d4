import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { FileContent } from '../model';
import { hashOf, type Blobs } from './blobs';
import { readLedger, storedLedger, type StoredContent, type StoredLedger } from './ledgerJson';
import type { StoredOriginal } from './originals';
import type { Rewind, StoredRewind } from './rewind';
import type { ReviewService } from './reviewService';

/** How long changes are collected before they are written, in milliseconds. */
const WRITE_AFTER_MS = 300;

interface StoredState {
  readonly version: 1;
  readonly ledger: StoredLedger;
  readonly originals: readonly (readonly [string, StoredOriginal])[];
  readonly rewind: StoredRewind;
}

export interface StorageParts {
  /** Absolute; made when first written to. */
  readonly folder: string;
  readonly blobs: Blobs;
  readonly review: ReviewService;
  readonly rewind: Rewind;
  readonly logger: Logger;
  /** Hashes that others still need. */
  inUse(): Iterable<string>;
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
  private readonly hashes = new WeakMap<FileContent, string>();

  constructor(private readonly parts: StorageParts) {
    const soon = () => this.soon();
    this.subscriptions = [parts.review.onDidChangeState(soon), parts.rewind.onDidChange(soon)];
  }

  /** Brings back what an earlier window left; a state that cannot be read counts as none. */
  async load(): Promise<void> {
    const { review, rewind, logger, blobs } = this.parts;
    try {
      const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      const state = text === undefined ? undefined : (JSON.parse(text) as StoredState);
      if (state?.version === 1) {
        review.originals.restore(state.originals);
        rewind.restore(state.rewind);
        review.restore(await readLedger(state.ledger, content => this.read(content)));
      }
      await blobs.collect(new Set([...this.used(state), ...this.parts.inUse()]));
    } catch (error) {
      logger.error('The pending changes of the last window could not be read', error);
    } finally {
      this.loaded = true;
    }
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
    for (const subscription of this.subscriptions) subscription.dispose();
    clearTimeout(this.timer);
  }

  private get file(): string {
    return path.join(this.parts.folder, 'review.json');
  }

  private soon(): void {
    // What was just read need not be written.
    if (this.loaded) this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS);
  }

  private async write(): Promise<void> {
    const { folder, blobs, review, rewind, logger } = this.parts;
    try {
      const texts = new Map<string, string>();
      const ledger = storedLedger(review.state, content => this.stored(content, texts));
      review.originals.retain(new Set(review.state.files.keys()));
      const state: StoredState = {
        version: 1,
        ledger,
        originals: review.originals.entries(),
        rewind: rewind.stored(),
      };
      for (const [hash, text] of texts) await blobs.put(Buffer.from(text, 'utf8'), hash);
      await mkdir(folder, { recursive: true });
      const temporary = `${this.file}.${randomUUID()}.new`;
      await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
      await rename(temporary, this.file);
      await blobs.collect(new Set([...this.used(state), ...this.parts.inUse()]));
    } catch (error) {
      logger.error('The pending changes could not be written', error);
    }
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
    const ofContent = (content: StoredContent) =>
      content.kind === 'text' ? [content.blob] : content.kind === 'binary' ? [content.hash] : [];
    for (const [, review] of state.ledger.files) {
      yield* ofContent(review.baseline);
      yield* ofContent(review.current);
    }
    for (const { undone } of state.ledger.undos.flatMap(({ parts }) => parts)) {
      if (undone.kind === 'lines') continue;
      yield* ofContent(undone.before.baseline);
      yield* ofContent(undone.before.current);
      yield* ofContent(undone.after);
    }
    for (const [, { hash }] of this.parts.review.originals.entries()) yield hash;
    yield* this.parts.rewind.hashes();
  }
}
