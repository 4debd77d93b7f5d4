/**
 * A process and everything it started. On POSIX it leads a process group of its own (`spawn` with
 * `detached`), so that one signal reaches the children too; children that made groups of their own
 * (agents start shells that way) are found through the process table, and on Linux those that left their parent by a mark
 * in their environment. On Windows `taskkill /T` walks the
 * tree, which needs the root alive: children of a process that has ended there cannot be found any more.
 */
import { execFile, spawnSync, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { Emitter, type Event } from '../../base/event';
import { findServers, withoutServers, type LeftServer } from './leftServers';
import { listProcesses, readProcEntry, withDescendants, type ProcessEntry } from './processTable';
import { withMark } from './processMark';
import { withoutUsers } from './usersEditor';
import { within, TIMED_OUT } from '../within';

/** What `spawn` needs for its process to be the root of a `ProcessTree`. */
export const TREE_SPAWN_OPTIONS = {
  detached: process.platform !== 'win32',
  windowsHide: true,
} as const satisfies SpawnOptions;

/** How long each step of ending a tree may take, in milliseconds. */
export interface EndTimes {
  /** For the root to end by itself (after the end of its input). */
  readonly grace: number;
  /** Between SIGTERM and SIGKILL. */
  readonly term: number;
  /** Between SIGKILL and giving up (a process stuck in the kernel). */
  readonly kill: number;
}

/** How often a process group is looked at while it ends: there is no event for a group. */
const POLL_MS = 15;

const PLATFORM_HAS_GROUPS = process.platform !== 'win32';

export class ProcessTree {
  /** Descendants outside the root's group, with the time they started (pids are reused). */
  private strays: readonly ProcessEntry[] = [];
  private rootEnded = false;
  /** Its number may have come to mean another. */
  private hasGroup = true;
  /** What is spared is in the root's group, which then cannot be signalled as a whole: all else in it is a stray. */
  private sharesGroup = false;
  /** They are the user's to end. */
  private servers: readonly LeftServer[] = [];
  private readonly didLeave = new Emitter<readonly LeftServer[]>();
  /** Servers that are not ended with the tree, since the user may want them. */
  readonly onDidLeave: Event<readonly LeftServer[]> = this.didLeave.event;

  /**
   * @param pid of a process spawned with `TREE_SPAWN_OPTIONS`
   * @param mark what its environment has for `MARK_VARIABLE`
   */
  constructor(
    readonly pid: number,
    private readonly mark?: string,
  ) {}

  /** To be called when the root's exit is seen: from then on its pid means nothing, its group still does. */
  markRootEnded(): void {
    this.rootEnded = true;
  }

  /** True while anything of the tree that we know of still runs. */
  isAlive(): boolean {
    if (!PLATFORM_HAS_GROUPS) return !this.rootEnded && canSignal(this.pid);
    return this.isGroupAlive() || this.strays.some(isSame);
  }

  /**
   * Ends the tree: waits for the root to end by itself, then SIGTERM, then SIGKILL, each to all of it.
   * @param rootExit settles when the root has ended.
   * @param leaves whether servers outside it are for the user to end
   * @returns whether nothing else is left.
   */
  async end(rootExit: Promise<unknown>, times: EndTimes, leaves = true): Promise<boolean> {
    // Before the root ends: afterwards its children have another parent and cannot be recognized.
    if (leaves) this.leaveServers();
    this.findStrays();
    if (times.grace > 0) await within(rootExit, times.grace);
    this.findStrays();
    if (!this.isAlive()) return true;
    if (!PLATFORM_HAS_GROUPS) {
      await taskkill(this.pid);
      return (await within(rootExit, times.kill)) !== TIMED_OUT;
    }
    this.signal('SIGTERM');
    if (await this.waitUntilGone(times.term)) return true;
    this.findStrays();
    this.signal('SIGKILL');
    return this.waitUntilGone(times.kill);
  }

  /** Kills all of it without waiting: for when the extension host itself is about to end. */
  killNow(): void {
    if (!PLATFORM_HAS_GROUPS) {
      if (this.isAlive()) {
        spawnSync(taskkillPath(), taskkillArgs(this.pid), { windowsHide: true, timeout: 2000 });
      }
      return;
    }
    this.findStrays();
    this.signal('SIGKILL');
  }

  private signal(signal: NodeJS.Signals): void {
    if (!this.sharesGroup) trySignal(-this.pid, signal);
    for (const stray of this.strays) if (isSame(stray)) trySignal(stray.pid, signal);
  }

  /** Ends what the root, which has ended, has left in other groups than its own. */
  async endStrays(times: EndTimes): Promise<void> {
    this.hasGroup = false;
    this.leaveServers();
    for (const [signal, ms] of [
      ['SIGTERM', times.term],
      ['SIGKILL', times.kill],
    ] as const) {
      this.findStrays();
      const left = this.strays.filter(isSame);
      for (const stray of left) trySignal(stray.pid, signal);
      if (await waitUntil(() => !left.some(isSame), ms)) return;
    }
  }

  private waitUntilGone(ms: number): Promise<boolean> {
    return waitUntil(() => !this.isAlive(), ms);
  }

  private isGroupAlive(): boolean {
    if (this.sharesGroup || !canSignal(-this.pid)) return false;
    // A group of zombies can be signalled for as long as nobody reaps them (containers without an init).
    if (process.platform !== 'linux') return true;
    const root = readProcEntry(this.pid);
    if (root && root.group === this.pid && !root.zombie) return true;
    return listProcesses().some(entry => entry.group === this.pid && !entry.zombie);
  }

  private leaveServers(): void {
    if (this.mark === undefined) return;
    const table = withoutUsers(listProcesses(), this.pid);
    this.servers = findServers(this.all(table), this.pid, table);
    if (this.servers.length > 0) this.didLeave.fire(this.servers);
  }

  private findStrays(): void {
    if (!PLATFORM_HAS_GROUPS) return;
    const everything = listProcesses();
    const table = withoutServers(this.servers, withoutUsers(everything, this.pid));
    const inGroup = ({ group }: ProcessEntry) => group === this.pid;
    this.sharesGroup = everything.filter(inGroup).length > table.filter(inGroup).length;
    const all = this.all(table);
    this.strays = table.filter(
      entry => all.has(entry.pid) && (this.sharesGroup || !inGroup(entry)) && !entry.zombie,
    );
  }

  /** What of `table` is of the tree. */
  private all(table: readonly ProcessEntry[]): ReadonlySet<number> {
    const { mark } = this;
    const marked = mark === undefined ? [] : withMark(other => other === mark, table);
    const inGroup = table.filter(({ group }) => this.hasGroup && group === this.pid);
    const known = [...this.strays.filter(isSame), ...marked, ...inGroup];
    return withDescendants(
      known.map(({ pid }) => pid),
      table,
    );
  }
}

async function waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** True while the very process that was seen runs (not another with its pid). */
function isSame(seen: ProcessEntry): boolean {
  if (process.platform !== 'linux') return canSignal(seen.pid);
  const now = readProcEntry(seen.pid);
  return now !== undefined && !now.zombie && now.started === seen.started;
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, though not ours (a setuid child).
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile, which is what we want.
  }
}

function taskkillPath(): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
}

function taskkillArgs(pid: number): string[] {
  return ['/PID', String(pid), '/T', '/F'];
}

function taskkill(pid: number): Promise<void> {
  return new Promise(resolve => {
    // Its exit code says only that some process of the tree was gone already.
    execFile(taskkillPath(), taskkillArgs(pid), { windowsHide: true }, () => resolve());
  });
}
