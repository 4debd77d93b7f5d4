import { toDisposable, type Disposable } from '../../base/lifecycle';
import { Emitter, type Event } from '../../base/event';
import { endProgram } from './leftPrograms';
import { withoutServers, type LeftServer } from './leftServers';
import { OrphanGuard } from './orphanGuard';
import { HOST_MARK, withMark } from './processMark';
import { listProcesses } from './processTable';
import type { ProcessTree } from './processTree';
import { withoutUsers } from './usersEditor';

/**
 * Knows every process tree Parley has started, for the moments when there is no time left to be polite:
 * the extension host is about to end, or has been killed.
 */
export class ProcessTracker {
  private readonly trees = new Set<ProcessTree>();
  private readonly guard = new OrphanGuard();
  private readonly didLeave = new Emitter<readonly LeftServer[]>();
  /** Servers that run on without what started them, for the user to `endServers` or `keepServers`. */
  readonly onDidLeave: Event<readonly LeftServer[]> = this.didLeave.event;
  /** Those that the user wants. */
  private kept: readonly LeftServer[] = [];

  /** Dispose the result when nothing of `tree` is left. */
  add(tree: ProcessTree): Disposable {
    this.trees.add(tree);
    this.guard.guard(tree.pid);
    tree.onDidLeave(servers => {
      // Until the user has said something they end with the window, however that ends.
      for (const _ of servers) this.guard.guard();
      this.didLeave.fire(servers);
    });
    return toDisposable(() => this.remove(tree));
  }

  endServers(servers: readonly LeftServer[]): void {
    for (const server of servers) {
      endProgram(server, listProcesses);
      this.guard.release();
    }
  }

  /** They live on, also without this window. */
  keepServers(servers: readonly LeftServer[]): void {
    this.kept = [...this.kept, ...servers];
    for (const server of servers) {
      this.guard.keep(server.process.pid);
      this.guard.release();
    }
  }

  /** Kills everything but servers that the user wants, at once and synchronously: for `deactivate` and the exit of the extension host. */
  killAllNow(): void {
    for (const tree of this.trees) {
      tree.killNow();
      this.remove(tree);
    }
    // What has left its tree, which may be gone.
    const table = withoutServers(this.kept, withoutUsers(listProcesses()));
    for (const { pid } of withMark(mark => mark.startsWith(HOST_MARK), table)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
  }

  private remove(tree: ProcessTree): void {
    if (this.trees.delete(tree)) this.guard.release(tree.pid);
  }
}
