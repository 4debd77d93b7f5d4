/**
 * Servers that an agent, or a command of one, has left running: they have left their parent and listen on a port. The
 * user may want them (a development server), so it is for the user to say what becomes of them. Known on Linux alone.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { commandOf, isRunning, type LeftProgram } from './leftPrograms';
import { withDescendants, type ProcessEntry } from './processTable';

export interface LeftServer extends LeftProgram {
  readonly ports: readonly number[];
}

const LISTENS = '0A';

/**
 * @param tree process ids of all that was started
 * @param root the one that started it, if it runs: what is below it is part of it
 */
export function findServers(
  tree: ReadonlySet<number>,
  root: number,
  table: readonly ProcessEntry[],
): readonly LeftServer[] {
  if (process.platform !== 'linux') return [];
  const left = table.filter(
    ({ pid, parent, zombie }) => tree.has(pid) && pid !== root && !tree.has(parent) && !zombie,
  );
  return left.flatMap(entry => {
    const ports = [...withDescendants([entry.pid], table)].flatMap(portsOf);
    return ports.length > 0
      ? [{ process: entry, command: commandOf(entry.pid), ports: [...new Set(ports)] }]
      : [];
  });
}

/** `table` without those servers and what is below them. */
export function withoutServers(
  servers: readonly LeftServer[],
  table: readonly ProcessEntry[],
): readonly ProcessEntry[] {
  const roots = servers
    .map(server => server.process)
    .filter(isRunning)
    .map(({ pid }) => pid);
  if (roots.length === 0) return table;
  const spared = withDescendants(roots, table);
  return table.filter(({ pid }) => !spared.has(pid));
}

/** TCP ports that the process listens on; none when it is another user's. */
function portsOf(pid: number): readonly number[] {
  const sockets = socketsOf(pid);
  if (sockets.size === 0) return [];
  return ['tcp', 'tcp6'].flatMap(name =>
    read(`/proc/${pid}/net/${name}`)
      .split('\n')
      .slice(1)
      .flatMap(line => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        if (state !== LISTENS || !sockets.has(inode)) return [];
        return [parseInt(local.slice(local.lastIndexOf(':') + 1), 16)];
      }),
  );
}

function socketsOf(pid: number): ReadonlySet<string> {
  const found = new Set<string>();
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      if (inode !== undefined) found.add(inode);
    }
  } catch {
    // It has ended, has closed what was just listed, or is another user's.
  }
  return found;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
