import spawn from 'cross-spawn';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Emitter, type Event } from '../../base/event';
import type { Env } from './environmentVariables';
import { LineSplitter, LineTail } from './lineTail';
import { MARK_VARIABLE } from './processMark';
import type { ProcessTracker } from './processTracker';
import { ProcessTree, TREE_SPAWN_OPTIONS, type EndTimes } from './processTree';
import { within } from '../within';

/** Everything needed to start a process; all variables expanded, the command found. */
export interface LaunchSpec {
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Env;
  /** Absolute path of an existing folder. */
  readonly cwd: string;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Lines of stderr kept to explain a failure. */
const STDERR_LINES = 20;

/** How long after its exit a process's last output is waited for, in milliseconds. */
const DRAIN_MS = 250;

/** EOF on stdin, then SIGTERM, then SIGKILL: together under two seconds. */
const STOP_TIMES: EndTimes = { grace: 500, term: 700, kill: 500 };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * A running agent: its streams, its last words, and its end with all it started. stderr is always read
 * (a full pipe would stop the agent).
 */
export class AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles when the process has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Like `exited`, but after the last output was read, or could have been. */
  readonly drained: Promise<ProcessExit>;
  private readonly stderr = new Emitter<string>();
  /** Each line of stderr. */
  readonly onStderr: Event<string> = this.stderr.event;
  private readonly tail = new LineTail(STDERR_LINES);
  private readonly tree: ProcessTree;
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly child: Child,
    pid: number,
    processes: ProcessTracker,
    mark: string | undefined,
  ) {
    this.tree = new ProcessTree(pid, mark);
    const tracked = processes.add(this.tree);
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    // Writing to an agent that is gone fails, and its exit says so already.
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', () => undefined);
    }
    const lines = new LineSplitter(line => {
      this.tail.push(line);
      this.stderr.fire(line);
    });
    child.stderr.on('data', (bytes: Buffer) => lines.write(bytes));
    child.stderr.on('end', () => lines.end());
    const closed = new Promise<void>(resolve => child.on('close', () => resolve()));
    this.exited = new Promise(resolve => {
      child.on('exit', (code, signal) => {
        this.tree.markRootEnded();
        resolve({ code, signal });
      });
    });
    this.drained = this.exited.then(async exit => {
      await within(closed, DRAIN_MS);
      return exit;
    });
    // However it ended: what it started ends with it, while it is known whose it is.
    void this.exited
      .then(() => (this.stopping ??= this.end(false)))
      .finally(() => tracked.dispose());
  }

  /** @throws the spawn error (`code` EACCES, ENOENT, …). */
  static start(spec: LaunchSpec, processes: ProcessTracker): Promise<AgentProcess> {
    return new Promise((resolve, reject) => {
      // cross-spawn: .cmd files, shebangs and quoting on Windows; plain spawn elsewhere.
      const child = spawn(spec.command, [...spec.args], {
        ...TREE_SPAWN_OPTIONS,
        cwd: spec.cwd,
        env: { ...spec.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      }) as Child;
      child.once('error', reject);
      if (child.pid === undefined) return;
      resolve(new AgentProcess(child, child.pid, processes, spec.env[MARK_VARIABLE]));
    });
  }

  /** The last lines of stderr, oldest first. */
  stderrTail(): readonly string[] {
    return this.tail.toArray();
  }

  /** Ends the process and all it started but for servers. Resolves when nothing is left, in less than two seconds. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  /** @param leaves see `ProcessTree.end` */
  private async end(leaves = true): Promise<void> {
    this.stdin.end();
    // Nobody may be reading any more, and an agent that waits for its reader does not end.
    this.stdout.resume();
    const allGone = await this.tree.end(this.exited, STOP_TIMES, leaves);
    if (allGone) await this.drained;
    // Whoever still holds the other end (a daemon that left the tree) holds nothing of ours.
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) stream.destroy();
  }
}
