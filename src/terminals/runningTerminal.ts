import { StringDecoder } from 'node:string_decoder';
import { ProcessTree, type EndTimes } from '../agents/process/processTree';
import type { ProcessTracker } from '../agents/process/processTracker';
import { within } from '../agents/within';
import { Emitter, type Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { TerminalProcess } from '../session/ports';
import type { TerminalExit } from '../session/state/state';
import type { OutputBuffer } from './outputBuffer';
import type { SpawnedTerminal } from './spawnTerminal';

/** Nothing to wait for first: a command has no input whose end would tell it to go. */
const KILL_TIMES: EndTimes = { grace: 0, term: 700, kill: 500 };

/** After the exit, output is read until none has come for so long (something else may keep the pipe open). */
const QUIET_MS = 100;

/** … but no longer than this. Both in milliseconds. */
const MAX_DRAIN_MS = 2000;

/** A command's process group and its output. */
export class RunningTerminal implements TerminalProcess {
  readonly exited: Promise<TerminalExit>;
  private readonly didOutput = new Emitter<string>();
  readonly onOutput: Event<string> = this.didOutput.event;
  private readonly tree: ProcessTree;
  private readonly tracked: Disposable;
  private readonly rootExit: Promise<TerminalExit>;
  private exit: TerminalExit | undefined;
  private lastOutputAt = 0;
  private ending: Promise<void> | undefined;

  constructor(
    readonly commandLine: string,
    private readonly spawned: SpawnedTerminal,
    private buffer: OutputBuffer | undefined,
    processes: ProcessTracker,
  ) {
    const { child, output } = spawned;
    this.tree = new ProcessTree(spawned.pid);
    this.tracked = processes.add(this.tree);
    const decoder = new StringDecoder('utf8');
    output.on('data', (bytes: Buffer) => this.append(decoder.write(bytes)));
    output.on('error', () => undefined);
    const closed = new Promise<void>(resolve => {
      output.on('end', () => this.append(decoder.end()));
      output.on('close', () => resolve());
    });
    this.rootExit = new Promise(resolve => {
      child.on('exit', (exitCode, signal) => {
        this.tree.markRootEnded();
        resolve({ exitCode, signal });
      });
    });
    this.exited = this.rootExit.then(async exit => {
      await this.drain(closed);
      this.exit = exit;
      return exit;
    });
    // What the command left running in the background stays tracked as long as it may be there.
    void Promise.all([closed, this.rootExit]).then(() => {
      if (this.tree.isAlive()) return;
      this.tracked.dispose();
      // Nothing is left to end, and the group's number may soon be somebody else's.
      this.ending ??= Promise.resolve();
    });
  }

  snapshot() {
    return {
      output: this.buffer?.toString() ?? '',
      truncated: this.buffer?.truncated ?? false,
      ...(this.exit ? { exit: this.exit } : {}),
    };
  }

  async kill(): Promise<void> {
    this.ending ??= this.tree.end(this.rootExit, KILL_TIMES).then(() => this.tracked.dispose());
    await this.ending;
    await this.exited;
  }

  dispose(): void {
    this.buffer = undefined;
    this.didOutput.dispose();
    void this.kill().then(() => this.spawned.output.destroy());
  }

  private append(text: string): void {
    if (text === '') return;
    this.lastOutputAt = performance.now();
    this.buffer?.append(text);
    this.didOutput.fire(text);
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
