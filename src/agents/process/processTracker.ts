import { toDisposable, type Disposable } from '../../base/lifecycle';
import { OrphanGuard } from './orphanGuard';
import type { ProcessTree } from './processTree';

/**
 * Knows every process tree Parley has started, for the moments when there is no time left to be polite:
 * the extension host is about to end, or has been killed.
 */
export class ProcessTracker {
  private readonly trees = new Set<ProcessTree>();
  private readonly guard = new OrphanGuard();

  /** Dispose the result when nothing of `tree` is left. */
  add(tree: ProcessTree): Disposable {
    this.trees.add(tree);
    this.guard.guard(tree.pid);
    return toDisposable(() => this.remove(tree));
  }

  /** Kills everything, at once and synchronously: for `deactivate` and the exit of the extension host. */
  killAllNow(): void {
    for (const tree of this.trees) {
      tree.killNow();
      this.remove(tree);
    }
  }

  private remove(tree: ProcessTree): void {
    if (this.trees.delete(tree)) this.guard.release(tree.pid);
  }
}
