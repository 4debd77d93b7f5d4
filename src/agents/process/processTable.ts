/** What runs on this machine: needed to find children that left their parent's process group. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** A zombie has ended and only waits for its parent to ask how. */
  readonly zombie: boolean;
  /** Distinguishes two processes that had the same pid at different times. */
  readonly started: string;
}

/** Every process that can be seen; empty where the platform has no list (Windows: `taskkill /T` knows). */
export function listProcesses(): ProcessEntry[] {
  switch (process.platform) {
    case 'win32':
      return [];
    case 'linux':
      return listFromProc();
    default:
      return listFromPs();
  }
}

function listFromProc(): ProcessEntry[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  const entries: ProcessEntry[] = [];
  for (const name of names) {
    const entry = /^\d+$/.test(name) ? readProcEntry(Number(name)) : undefined;
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Those processes and all below them. */
export function withDescendants(
  pids: Iterable<number>,
  table: readonly ProcessEntry[],
): ReadonlySet<number> {
  const found = new Set(pids);
  // Children may precede their parents in the table (pids wrap around), so repeat until nothing is new.
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
  }
  return found;
}

/** The entry of one process on Linux; undefined when there is none. */
export function readProcEntry(pid: number): ProcessEntry | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field, the name, is in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    zombie: state === 'Z' || state === 'X',
    started: fields[19] ?? '',
  };
}

function listFromPs(): ProcessEntry[] {
  let table: string;
  try {
    table = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
      encoding: 'utf8',
      timeout: 500,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 8 * 1024 * 1024,
    });
  } catch {
    return [];
  }
  const entries: ProcessEntry[] = [];
  for (const line of table.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match) continue;
    entries.push({
      pid: Number(match[1]),
      parent: Number(match[2]),
      group: Number(match[3]),
      zombie: match[4]?.startsWith('Z') ?? false,
      started: match[5]?.trim() ?? '',
    });
  }
  return entries;
}
