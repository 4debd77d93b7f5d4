import { randomUUID } from 'node:crypto';
import type { GitRepository } from './repository';

/** What a commit has at a path. */
export interface TreeEntry {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  readonly object: string;
  /** Bytes as committed, before filters; 0 for what is no file. */
  readonly size: number;
  readonly executable: boolean;
}

/** Contents read by one run of git: bytes as committed, and files. */
const MAX_RUN_BYTES = 16 * 1024 * 1024;
const MAX_RUN_FILES = 500;

/** What `git ls-tree -l -z` says, by path. */
export function parseTree(output: string): ReadonlyMap<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (const record of output.split('\0')) {
    const tab = record.indexOf('\t');
    const [mode = '', , object = '', size = ''] = record.slice(0, Math.max(0, tab)).split(/ +/);
    if (tab < 0 || object === '') continue;
    entries.set(record.slice(tab + 1), {
      kind: kindOf(mode),
      object,
      size: Number.parseInt(size, 10) || 0,
      executable: mode === '100755',
    });
  }
  return entries;
}

/**
 * The files of `entries` as a checkout would write them, by path; a few runs of git for any number. What git
 * does not give is left out, and so are files of more than `maxBytes`.
 */
export async function readFiles(
  repository: GitRepository,
  entries: ReadonlyMap<string, TreeEntry>,
  maxBytes: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const read = new Map<string, Buffer>();
  const files = [...entries].filter(([, { kind, size }]) => kind === 'file' && size <= maxBytes);
  for (let start = 0; start < files.length;) {
    let end = start;
    for (let bytes = 0; end < files.length && end - start < MAX_RUN_FILES; end++) {
      bytes += files[end]?.[1].size ?? 0;
      if (bytes > MAX_RUN_BYTES && end > start) break;
    }
    await readSome(repository, files.slice(start, end), maxBytes, read);
    start = end;
  }
  return read;
}

async function readSome(
  repository: GitRepository,
  files: readonly (readonly [string, TreeEntry])[],
  maxBytes: number,
  into: Map<string, Buffer>,
): Promise<void> {
  // Sizes are those before filters, so something else must say where a file ends.
  const end = `parley-${randomUUID()}`;
  const asked = files.filter(([name]) => !name.includes('\n'));
  const input = asked.map(([name, { object }]) => `${object} ${name}\n${end} -\n`).join('');
  const output = asked.length > 0 ? await repository.catFiles(input) : Buffer.alloc(0);
  const mark = Buffer.from(`\n${end} missing\n`);
  let at = 0;
  for (const [name, { object }] of output ? asked : []) {
    const stop = output?.indexOf(mark, at) ?? -1;
    if (!output || stop < 0) break;
    const header = output.indexOf('\n', at);
    const isThere = output.toString('latin1', at, header).startsWith(`${object} blob `);
    if (isThere && header < stop && stop - header - 1 <= maxBytes) {
      // A copy: a part would keep the whole output in memory.
      into.set(name, Buffer.from(output.subarray(header + 1, stop)));
    }
    at = stop + mark.length;
  }
  // A name with a line feed in it cannot be asked for in that way.
  for (const [name, { object }] of files) {
    if (into.has(name) || !name.includes('\n')) continue;
    const bytes = await repository.object(object, name, maxBytes);
    if (bytes) into.set(name, bytes);
  }
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode.startsWith('100')) return 'file';
  if (mode === '120000') return 'link';
  return mode === '040000' ? 'folder' : 'other';
}
