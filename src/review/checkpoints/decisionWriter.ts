import * as l10n from '@vscode/l10n';
import { inParallel } from '../../base/inParallel';
import type { Logger } from '../../base/logger';
import { FileError } from '../../session/ports';
import type { Step, Write } from '../core/ledger';
import { sameContent } from '../core/lines';
import type { FileContent, ReviewOutcome } from '../model';
import type { Written } from '../workingFiles';
import type { Blobs } from '../store/blobs';
import { lookAt } from './diskFile';
import type { Original, Originals } from './originals';
import type { EditorFiles } from './ports';

export interface DecisionWriterParts {
  readonly files: EditorFiles;
  readonly blobs: Blobs;
  readonly logger: Logger;
  /** Bytes that files under review had. */
  readonly originals: Originals;
  /** Bytes of files that an undo took away. */
  readonly removed: Originals;
  /** Files that are being written. */
  readonly writing: Set<string>;
  /** Parley itself has made the file what it is now. */
  wrote(path: string, written: Written): Promise<void>;
  /** The file may not be what it was thought to be: it is looked at soon. */
  touch(path: string): void;
  /** The step is written: the ledger is to say so. */
  apply(step: Step): void;
}

/** Carries out decisions, some files at a time: writes first, and changes the ledger when that is done. */
export class DecisionWriter {
  constructor(private readonly parts: DecisionWriterParts) {}

  async carryOut(steps: readonly Step[]): Promise<ReviewOutcome> {
    const failures: ReviewOutcome['failures'][number][] = [];
    let decided = 0;
    const carryOut = async (step: Step): Promise<void> => {
      const message = await this.carryOutOne(step);
      if (message === undefined) decided += step.decided;
      else failures.push({ path: step.path, message });
    };
    // Where a file takes the place of a folder, or the other way round, one has to go first.
    const isGoing = ({ writes }: Step) => writes.every(({ to }) => to.kind === 'absent');
    await inParallel(steps.filter(isGoing), carryOut);
    await inParallel(
      steps.filter(step => !isGoing(step)),
      carryOut,
    );
    return { decided, failures };
  }

  /** @returns why it could not be done, for the user; undefined when it is done */
  private async carryOutOne(step: Step): Promise<string | undefined> {
    let written: ReadonlyMap<string, Written>;
    try {
      written = await this.writeAll(step.writes);
      // Before anything else can happen: what the documents say is what the ledger says.
      this.parts.apply(step);
    } catch (error) {
      // What stands there is not Parley's: whose it is, is found out.
      for (const { path } of step.writes) this.parts.touch(path);
      return this.sentence(step.path, error);
    } finally {
      for (const { path } of step.writes) this.parts.writing.delete(path);
    }
    await this.noteWritten(written);
    return undefined;
  }

  /** All of them or, as far as that can be, none. @returns what is on disk now, by path */
  private async writeAll(writes: Step['writes']): Promise<ReadonlyMap<string, Written>> {
    const done: Write[] = [];
    const all = new Map<string, Written>();
    try {
      for (const write of writes) {
        const written = await this.write(write);
        if (written) all.set(write.path, written);
        done.push(write);
      }
      return all;
    } catch (error) {
      for (const { path, from, to } of done.reverse()) {
        await this.write({ path, from: to, to: from }).catch((failed: unknown) => {
          this.parts.logger.error(`${path} could not be put back`, failed);
        });
      }
      throw error;
    }
  }

  private async noteWritten(all: ReadonlyMap<string, Written>): Promise<void> {
    for (const [path, written] of all) {
      try {
        await this.parts.wrote(path, written);
      } catch (error) {
        // The decision is made all the same.
        this.parts.logger.error(`What ${path} is now could not be noted`, error);
      }
    }
  }

  /** The file stays marked as being written: its document may report it only later. */
  private async write({ path, from, to }: Write): Promise<Written | undefined> {
    const { files, blobs } = this.parts;
    if (!sameContent(await files.read(path), from)) {
      throw new FileError(
        'changedOnDisk',
        l10n.t('The file has just changed. Look at it again, then decide.'),
      );
    }
    if (to.kind === 'absent') {
      const found = await lookAt(path);
      if (found.kind === 'file' && found.bytes) await this.parts.removed.put(path, found, blobs);
    }
    this.parts.writing.add(path);
    return files.write(path, to, await this.originalOf(path, to));
  }

  /** What the file's bytes and mode were when it said `content`, or else before the agent came. */
  private async originalOf(path: string, content: FileContent): Promise<Original | undefined> {
    const { files, blobs } = this.parts;
    const original = await this.parts.originals.get(path, blobs);
    const removed = await this.parts.removed.get(path, blobs);
    const says = async (one: Original | undefined) =>
      one !== undefined && sameContent(await files.decode(path, one.bytes), content);
    return (await says(removed)) && !(await says(original)) ? removed : (original ?? removed);
  }

  private sentence(path: string, error: unknown): string {
    if (error instanceof FileError) return error.message;
    this.parts.logger.error(`${path} could not be written`, error);
    return l10n.t('The file could not be written. See the log.');
  }
}
