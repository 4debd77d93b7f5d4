import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../base/event';
import { lazy } from '../../base/lazy';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Review } from '../../review/review';
import type { Chats } from '../../session/chats';
import type { AgentTracking } from '../../session/ports';
import type { FileTracking, FileTrackingOptions } from './fileTracking';
import type { FilesRewind } from '../review/restore/restorePrompt';

/**
 * File tracking, loaded right after activation instead of as a part of it: an editor's start should not
 * wait for it. Until it is there nothing is pending; what is asked of it waits.
 */
export class LazyTracking implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<readonly string[]>());
  /** What failed is tried again with the next thing that is asked. */
  private readonly loading: () => Promise<FileTracking>;
  private loaded: FileTracking | undefined;
  private chats: Chats | undefined;
  /** Resolves when the pending changes of earlier windows are there. */
  readonly ready = async (): Promise<void> => (await this.loading()).ready;

  /**
   * Whether `file` has changes that wait for review, also if they were made a moment ago. Never rejects:
   * what is not known counts as pending.
   */
  readonly isPending = async (file: string): Promise<boolean> => {
    try {
      return await (await this.loading()).isPending(file);
    } catch (error) {
      this.options.logger.error(`It is not known whether ${file} was reviewed`, error);
      return true;
    }
  };

  readonly review: Review = this.lazyReview();
  readonly rewind: FilesRewind = this.lazyRewind();
  readonly agents: AgentTracking = {
    promptReady: async chatId => (await this.loading()).agents.promptReady(chatId),
    record: async (turn, file, write) => {
      const tracking = await this.loading().catch(() => undefined);
      // The turn has said that it cannot be reviewed; its work goes on.
      return tracking ? tracking.agents.record(turn, file, write) : write();
    },
  };

  constructor(private readonly options: FileTrackingOptions) {
    this.loading = lazy(() => this.load());
    this.loading().catch((error: unknown) =>
      options.logger.error('File tracking was not loaded', error),
    );
  }

  /** Listens to the chats from now on. */
  follow(chats: Chats): void {
    this.chats = chats;
    this.loaded?.follow(chats);
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    await (await this.loading()).flush();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async load(): Promise<FileTracking> {
    // An import in the same turn of the event loop would still be a part of activation.
    await setImmediate();
    const { FileTracking } = await import('./fileTracking');
    const tracking = this.disposables.add(new FileTracking(this.options));
    this.loaded = tracking;
    this.disposables.add(tracking.review.onDidChange(paths => this.changed.fire(paths)));
    if (this.chats) tracking.follow(this.chats);
    return tracking;
  }

  private lazyReview(): Review {
    const now = () => this.loaded?.review;
    const later = async () => (await this.loading()).review;
    return {
      get pending() {
        return now()?.pending ?? [];
      },
      get canRedo() {
        return now()?.canRedo ?? false;
      },
      get: path => now()?.get(path),
      onDidChange: this.changed.event,
      keep: async target => (await later()).keep(target),
      undo: async target => (await later()).undo(target),
      notTheAgents: async paths => (await later()).notTheAgents(paths),
      redo: async () => (await later()).redo(),
    };
  }

  private lazyRewind(): FilesRewind {
    const now = () => this.loaded?.rewind;
    const later = async () => (await this.loading()).rewind;
    return {
      get canUndoRestore() {
        return now()?.canUndoRestore ?? false;
      },
      preview: async (chatId, turnIds) => (await later()).preview(chatId, turnIds),
      restoreFiles: async (chatId, turnIds) => (await later()).restoreFiles(chatId, turnIds),
      undoRestore: async () => (await later()).undoRestore(),
    };
  }
}
