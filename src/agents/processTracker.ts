import { toDisposable, type Disposable } from '../base/lifecycle';
import type { ProcessTree } from './processTree';

/** Knows every process tree Parley has started, for the moment when there is no time left to be polite. */
export class ProcessTracker {
  private readonly trees = new Set<ProcessTree>();

  /** Dispose the result when nothing of `tree` is left. */
  add(tree: ProcessTree): Disposable {
    this.trees.add(tree);
    return toDisposable(() => this.trees.delete(tree));
  }

  /** Kills everything, at once and synchronously: for `deactivate` and the exit of the extension host. */
  killAllNow(): void {
    for (const tree of this.trees) tree.killNow();
    this.trees.clear();
  }
}
