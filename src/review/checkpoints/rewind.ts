import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { FileError } from '../../session/ports';
import { sameTurn, type FileReview } from '../core/fileReview';
import { sameContent } from '../core/lines';
import type { FileContent, TurnRef } from '../model';
import type { Written } from '../workingFiles';
import { hashOf, type Blobs } from '../store/blobs';
import type { Recoverable } from '../store/historyLimit';
import type { StoredContent } from '../store/ledgerJson';
import { movedPath, readOriginal, type StoredOriginal } from './originals';
import type { EditorFiles } from './ports';
import type { AgentChange, Disowned, ReviewService } from '../reviewService';

/** What one turn did to one file. */
interface Touched {
  /** Before the turn first changed it; undefined when nobody can say. */
  readonly before: StoredContent | undefined;
  /** After the turn last changed it. */
  readonly after: StoredContent;
  /** The bytes it had before. */
  readonly original?: StoredOriginal;
}

interface TurnSnapshot {
  readonly turn: TurnRef;
  readonly files: readonly (readonly [string, Touched])[];
}

export interface StoredRewind {
  readonly turns: readonly TurnSnapshot[];
  readonly overwritten?: Overwritten;
}

/** What a restore has overwritten, so that it can be brought back. */
interface Overwritten {
  readonly files: readonly (readonly [string, StoredContent])[];
}

/** A file that goes back with the turns. */
export interface RewindFile {
  readonly path: string;
  /** The user changed it after the agent did: that goes too (and can be brought back). */
  readonly editedSince: boolean;
  /** Nobody knows what it was, so it stays as it is. */
  readonly unknown: boolean;
}

interface Target {
  readonly path: string;
  readonly content: StoredContent;
  readonly original?: StoredOriginal;
}

/** Turns that can be gone back to; the oldest are forgotten. */
const MAX_TURNS = 200;

export interface RewindServices {
  readonly files: EditorFiles;
  readonly blobs: Blobs;
  readonly review: ReviewService;
  readonly logger: Logger;
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  wrote(path: string, written: Written): Promise<void>;
}

/**
 * Takes files back to before a prompt. Holds, for each turn, what it touched and nothing else: what was
 * there before, by the hash of its text.
 */
export class Rewind implements Disposable {
  private turns: { readonly turn: TurnRef; readonly files: Map<string, Touched> }[] = [];
  private overwritten: Overwritten | undefined;
  /** What was to be decided in the overwritten files, as long as this window lives. */
  private overwrittenReviews: ReadonlyMap<string, FileReview> = new Map();
  /** Hashes of what a restore overwrites at this moment. */
  private readonly overwriting = new Set<string>();
  /** Files that could not be brought back: the next time is about these. */
  private unfinished: ReadonlySet<string> = new Set();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: readonly Disposable[];

  constructor(private readonly services: RewindServices) {
    const { review } = services;
    this.subscriptions = [
      review.onDidRecord(change => void this.record(change)),
      review.onDidRename(({ from, to }) => this.move(from, to)),
      review.onDidForget(path => this.move(path, undefined)),
      review.onDidDisown(disowned => this.disown(disowned)),
    ];
  }

  /**
   * The files that a chat's agent touched in these turns (oldest first), which is what a restore to before
   * the first of them is about. In order of path.
   */
  async preview(chatId: string, turnIds: readonly string[]): Promise<readonly RewindFile[]> {
    const files: RewindFile[] = [];
    for (const [path, { before, after }] of this.touched(chatId, turnIds)) {
      const now = await this.services.files.read(path);
      const last = await this.read(after);
      if (before && sameAsStored(now, before)) continue;
      files.push({
        path,
        editedSince: last === undefined || !sameContent(now, last),
        unknown: before === undefined,
      });
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Puts files back to what they were before these turns; what that overwrites is kept for `undoRestore`. */
  async restoreFiles(
    chatId: string,
    turnIds: readonly string[],
  ): Promise<readonly { readonly path: string; readonly message: string }[]> {
    return this.services.exclusively(async () => {
      const targets: Target[] = [];
      for (const [path, { before, original }] of this.touched(chatId, turnIds)) {
        if (before) targets.push({ path, content: before, ...(original && { original }) });
      }
      const turns = turnIds.map(turnId => ({ chatId, turnId }));
      this.unfinished = new Set();
      return this.write(targets, { turns });
    });
  }

  get canUndoRestore(): boolean {
    return this.overwritten !== undefined;
  }

  /**
   * Takes the last restore back: the files, and what was still to be decided in them. After one that failed in
   * part, the files in which it did.
   */
  async undoRestore(): Promise<readonly { readonly path: string; readonly message: string }[]> {
    return this.services.exclusively(async () => {
      const reviews = this.overwrittenReviews;
      const all = this.overwritten?.files ?? [];
      const left = all.filter(([path]) => this.unfinished.has(path));
      const targets = (left.length > 0 ? left : all).map(([path, content]) => ({ path, content }));
      const others = left.length > 0 ? all.filter(one => !left.includes(one)) : [];
      const failures = await this.write(targets, { others });
      this.unfinished = new Set(failures.map(({ path }) => path));
      for (const { path } of targets) {
        const review = reviews.get(path);
        if (review && !this.unfinished.has(path)) this.services.review.resume(path, review);
      }
      return failures;
    });
  }

  /** Forgets turns that are not in the chat any more. */
  forget(chatId: string, turnIds?: readonly string[]): void {
    this.turns = this.turns.filter(
      ({ turn }) => turn.chatId !== chatId || (turnIds && !turnIds.includes(turn.turnId)),
    );
    this.changed.fire();
  }

  /** What each turn keeps, oldest first. */
  costs(): readonly Recoverable[] {
    return this.turns.map(({ files }) => {
      const hashes = [...files.values()].flatMap(({ before, after, original }) => [
        ...(original ? [original.hash] : []),
        ...(before ? hashIn(before) : []),
        ...hashIn(after),
      ]);
      return { hashes, bytes: 0 };
    });
  }

  /** Forgets the oldest turns, so that `count` are left. */
  retainTurns(count: number): void {
    if (this.turns.length <= count) return;
    this.turns = count === 0 ? [] : this.turns.slice(-count);
    this.changed.fire();
  }

  stored(): StoredRewind {
    return {
      turns: this.turns.map(({ turn, files }) => ({ turn, files: [...files] })),
      ...(this.overwritten && { overwritten: this.overwritten }),
    };
  }

  restore({ turns, overwritten }: StoredRewind): void {
    this.turns = turns.map(({ turn, files }) => ({ turn, files: new Map(files) }));
    this.overwritten = overwritten;
  }

  *hashes(): Iterable<string> {
    yield* this.overwriting;
    for (const { files } of this.turns) {
      for (const { before, after, original } of files.values()) {
        if (original) yield original.hash;
        if (before) yield* hashIn(before);
        yield* hashIn(after);
      }
    }
    for (const [, content] of this.overwritten?.files ?? []) yield* hashIn(content);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }

  /** The user moved a file: it goes back where it is now. @param to undefined: it is forgotten */
  private move(from: string, to: string | undefined): void {
    for (const { files } of this.turns) {
      for (const [path, touched] of [...files]) {
        const now = movedPath(path, from, to ?? '');
        if (now === undefined) continue;
        files.delete(path);
        if (to !== undefined) files.set(now, files.get(now) ?? touched);
      }
    }
    this.changed.fire();
  }

  /** What an agent did not do, a restore to before its prompt leaves alone. */
  private disown({ path, turns }: Disowned): void {
    for (const { turn, files } of this.turns) {
      if (turns.some(one => sameTurn(one, turn))) files.delete(path);
    }
    this.changed.fire();
  }

  private async record({ path, before, after, turn, original }: AgentChange): Promise<void> {
    let entry = this.turns.find(
      other => other.turn.chatId === turn.chatId && other.turn.turnId === turn.turnId,
    );
    if (!entry) {
      entry = { turn, files: new Map() };
      this.turns = [...this.turns, entry].slice(-MAX_TURNS);
    }
    const known = entry.files.get(path);
    const first = known ? known.before : before && hashed(before);
    const bytes = known ? known.original : original;
    entry.files.set(path, {
      before: first,
      after: hashed(after),
      ...(bytes && { original: bytes }),
    });
    try {
      // Both at once: a restore may ask for either before they are on disk.
      await Promise.all([!known && before ? this.keep(before) : undefined, this.keep(after)]);
    } catch (error) {
      this.services.logger.error(`What ${path} was cannot be kept`, error);
    }
    this.changed.fire();
  }

  /** The first state before and the last after, over the turns. */
  private touched(chatId: string, turnIds: readonly string[]): Map<string, Touched> {
    const files = new Map<string, Touched>();
    for (const turnId of turnIds) {
      const entry = this.turns.find(({ turn }) => turn.chatId === chatId && turn.turnId === turnId);
      for (const [path, touched] of entry?.files ?? []) {
        files.set(path, { ...(files.get(path) ?? touched), after: touched.after });
      }
    }
    return files;
  }

  /** @param others what was overwritten before in other files, and can still be brought back */
  private async write(
    targets: readonly Target[],
    {
      turns = [],
      others = [],
    }: { readonly turns?: readonly TurnRef[]; readonly others?: Overwritten['files'] },
  ): Promise<readonly { readonly path: string; readonly message: string }[]> {
    const { files, review, blobs, logger } = this.services;
    const failures: { path: string; message: string }[] = [];
    const earlier = new Map(this.overwritten?.files);
    const overwritten = new Map(others);
    const reviews = new Map([...this.overwrittenReviews].filter(([path]) => overwritten.has(path)));
    // As it is before any of it: one half of a rename put back takes the other apart.
    const known = review.state.files;
    for (const { path, content: target, original } of targets) {
      try {
        const content = await this.read(target);
        if (!content)
          throw new FileError('failed', l10n.t('Its earlier text is no longer available.'));
        const now = await files.read(path);
        if (sameContent(now, content)) continue;
        for (const hash of hashIn(hashed(now))) this.overwriting.add(hash);
        await this.keep(now);
        overwritten.set(path, hashed(now));
        const pending = known.get(path);
        if (pending) reviews.set(path, pending);
        const bytes = await readOriginal(original, blobs);
        const written = await review.whileWriting(path, () => files.write(path, content, bytes));
        review.rewound(path, content, turns);
        if (written) await this.services.wrote(path, written);
      } catch (error) {
        const message =
          error instanceof FileError ? error.message : l10n.t('The file could not be written.');
        failures.push({ path, message });
        if (!(error instanceof FileError)) logger.error(`${path} could not be written`, error);
        // What could be brought back in it still can.
        const old = earlier.get(path);
        const pending = this.overwrittenReviews.get(path);
        if (old) overwritten.set(path, old);
        if (pending) reviews.set(path, pending);
      }
    }
    this.overwritten = overwritten.size > 0 ? { files: [...overwritten] } : undefined;
    this.overwriting.clear();
    this.overwrittenReviews = reviews;
    this.changed.fire();
    return failures;
  }

  private async keep(content: FileContent): Promise<void> {
    if (content.kind === 'text') await this.services.blobs.put(Buffer.from(content.text, 'utf8'));
  }

  private async read(content: StoredContent): Promise<FileContent | undefined> {
    if (content.kind !== 'text') return content;
    const bytes = await this.services.blobs.get(content.blob);
    return bytes && { kind: 'text', text: Buffer.from(bytes).toString('utf8') };
  }
}

function hashed(content: FileContent): StoredContent {
  return content.kind === 'text'
    ? { kind: 'text', blob: hashOf(Buffer.from(content.text, 'utf8')) }
    : content;
}

function sameAsStored(content: FileContent, stored: StoredContent): boolean {
  const mine = hashed(content);
  if (mine.kind === 'text') return stored.kind === 'text' && stored.blob === mine.blob;
  if (mine.kind === 'binary') return stored.kind === 'binary' && stored.hash === mine.hash;
  return stored.kind === 'absent';
}

function* hashIn(content: StoredContent): Iterable<string> {
  if (content.kind === 'text') yield content.blob;
  else if (content.kind === 'binary') yield content.hash;
}
