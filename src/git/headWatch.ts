import { watch, type FSWatcher } from 'node:fs';
import { Emitter } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { GitRepository } from './repository';

/** Git writes several files for one command; they become one event. */
const SETTLE_MS = 40;

/**
 * Tells when HEAD or the index of a work tree has moved: commit, checkout, stash, reset, pull, merge, add.
 * Every one of them writes a file directly in the git directory.
 */
export class HeadWatch implements Disposable {
  private readonly moved = new Emitter<void>();
  readonly onDidMove = this.moved.event;
  private readonly watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor({ gitDir }: GitRepository) {
    try {
      this.watcher = watch(gitDir, (_, name) => {
        if (name === null || !isNoise(name)) this.soon();
      });
      // The repository was removed: nothing more to report.
      this.watcher.on('error', () => this.watcher?.close());
    } catch {
      this.watcher = undefined;
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher?.close();
    this.moved.dispose();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.moved.fire(), SETTLE_MS);
  }
}

function isNoise(name: string): boolean {
  return name.endsWith('.lock') || name.startsWith('fsmonitor') || name === 'gc.pid';
}
