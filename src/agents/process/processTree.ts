/**
 * A process and everything it started. On POSIX it leads a process group of its own (`spawn` with
 * `detached`), so that one signal reaches the children too; children that made groups of their own
 * (agents start shells that way) are found through the process table. On Windows `taskkill /T` walks the
 * tree, which needs the root alive: children of a process that has ended there cannot be found any more.
 */
import { execFile, spawnSync, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { listProcesses, readProcEntry, type ProcessEntry } from './processTable';
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

  /** @param pid of a process spawned with `TREE_SPAWN_OPTIONS`. */
  constructor(readonly pid: number) {}

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
   * @returns whether nothing is left.
   */
  async end(rootExit: Promise<unknown>, times: EndTimes): Promise<boolean> {
    // Before the root ends: afterwards its children have another parent and cannot be recognized.
    this.findStrays();
    if (times.grace > 0) await within(rootExit, times.grace);
    if (!this.isAlive()) return true;
    if (!PLATFORM_HAS_GROUPS) {
      await taskkill(this.pid);
      return (await within(rootExit, times.kill)) !== TIMED_OUT;
    }
    this.findStrays();
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
    trySignal(-this.pid, signal);
    for (const stray of this.strays) if (isSame(stray)) trySignal(stray.pid, signal);
  }

  private async waitUntilGone(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (this.isAlive()) {
      if (performance.now() >= deadline) return false;
      await new Promise(resolve => setTimeout(resolve, POLL_MS));
    }
    return true;
  }

  private isGroupAlive(): boolean {
    if (!canSignal(-this.pid)) return false;
    // A group of zombies can be signalled for as long as nobody reaps them (containers without an init).
    if (process.platform !== 'linux') return true;
    const root = readProcEntry(this.pid);
    if (root && root.group === this.pid && !root.zombie) return true;
    return listProcesses().some(entry => entry.group === this.pid && !entry.zombie);
  }

  private findStrays(): void {
    if (!PLATFORM_HAS_GROUPS) return;
    const table = listProcesses();
    const known = new Set<number>(this.strays.filter(isSame).map(stray => stray.pid));
    for (const entry of table) if (entry.group === this.pid) known.add(entry.pid);
    // Children may precede their parents in the table (pids wrap around), so repeat until nothing is new.
    for (let before = -1; before !== known.size;) {
      before = known.size;
      for (const entry of table) if (known.has(entry.parent)) known.add(entry.pid);
    }
    this.strays = table.filter(
      entry => known.has(entry.pid) && entry.group !== this.pid && !entry.zombie,
    );
  }
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
