import { ProcessTree, type EndTimes } from '../agents/process/processTree';
import type { ProcessTracker } from '../agents/process/processTracker';
import { within } from '../agents/within';
import type { Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { TerminalOutput, TerminalProcess, TerminalView } from '../session/ports';
import type { TerminalExit } from '../session/state/state';
import type { KeptOutput } from './keptOutput';
import type { SpawnedCommand } from './spawnedCommand';

/** Nothing to wait for first: a command has no input whose end would make it go. */
const KILL_TIMES: EndTimes = { grace: 0, term: 700, kill: 500 };

/** After the exit, output is read until none has come for so long (something else may keep the pipe open). */
const QUIET_MS = 100;

/** … but no longer than this. Both in milliseconds. */
const MAX_DRAIN_MS = 2000;

/** A command's process group and its output. */
export class RunningTerminal implements TerminalProcess {
  readonly exited: Promise<TerminalExit>;
  readonly onOutput: Event<TerminalOutput>;
  readonly view?: TerminalView;
  private readonly tree: ProcessTree;
  private readonly tracked: Disposable;
  private exit: TerminalExit | undefined;
  private lastOutputAt = 0;
  /** Its number may soon be somebody else's. */
  private isGroupGone = false;
  private ending: Promise<void> | undefined;

  constructor(
    readonly commandLine: string,
    private readonly spawned: SpawnedCommand,
    private readonly kept: KeptOutput,
    processes: ProcessTracker,
    mark?: string,
  ) {
    const { pid, ended, closed } = spawned;
    this.onOutput = kept.onOutput;
    if (kept.view) this.view = kept.view;
    this.tree = new ProcessTree(pid, mark);
    this.tracked = processes.add(this.tree);
    spawned.onData(text => this.append(text));
    this.exited = ended.then(async exit => {
      this.tree.markRootEnded();
      await this.drain(closed);
      await kept.finish();
      this.exit = exit;
      return exit;
    });
    // What the command left running in the background stays tracked as long as it may be there.
    void Promise.all([closed, ended]).then(() => {
      if (this.tree.isAlive()) return;
      this.tracked.dispose();
      this.isGroupGone = true;
    });
  }

  snapshot() {
    return { ...this.kept.snapshot(), ...(this.exit ? { exit: this.exit } : {}) };
  }

  async kill(): Promise<void> {
    this.ending ??= this.end();
    await this.ending;
    await this.exited;
  }

  private async end(): Promise<void> {
    if (this.isGroupGone) await this.tree.endStrays(KILL_TIMES);
    else await this.tree.end(this.spawned.ended, KILL_TIMES);
    this.tracked.dispose();
  }

  dispose(): void {
    this.kept.dispose();
    void this.kill().then(() => this.spawned.release());
  }

  private append(text: string): void {
    if (text === '') return;
    this.lastOutputAt = performance.now();
    this.kept.append(text);
  }

  private async drain(closed: Promise<void>): Promise<void> {
    const deadline = performance.now() + MAX_DRAIN_MS;
    let done = false;
    const end = closed.then(() => {
      done = true;
    });
    do {
      await within(end, QUIET_MS);
    } while (
      !done &&
      performance.now() - this.lastOutputAt < QUIET_MS &&
      performance.now() < deadline
    );
  }
}
