import { lstat } from 'node:fs/promises';

/** What the index knows of the file that it has seen at a path. */
export interface IndexStat {
  /** Seconds and nanoseconds since the epoch, as `seconds:nanoseconds`. */
  readonly mtime: string;
  /** Bytes; git says 0 where it is not sure. */
  readonly size: number;
}

/** What `git ls-files --debug -z` says, by path. */
export function parseIndexStats(output: string): ReadonlyMap<string, IndexStat> {
  const stats = new Map<string, IndexStat>();
  // Behind each path and its NUL come lines with what is known of it.
  let name = '';
  for (const part of output.split('\0')) {
    const [, mtime, size, next] =
      /^ {2}ctime: \S+\n {2}mtime: (\S+)\n[^\n]*\n[^\n]*\n {2}size: (\d+)[^\n]*\n([^]*)$/.exec(
        part,
      ) ?? [];
    if (mtime !== undefined) stats.set(name, { mtime, size: Number(size) });
    name = next ?? part;
  }
  return stats;
}

/** Whether what stands at `file` is the very file that the index has seen there. */
export async function isAsIndexed(file: string, { mtime, size }: IndexStat): Promise<boolean> {
  const info = await lstat(file, { bigint: true }).catch(() => undefined);
  if (!info?.isFile() || Number(info.size) !== size) return false;
  const [seconds = '', nanoseconds = ''] = mtime.split(':');
  const second = 1_000_000_000n;
  // Some builds of git know whole seconds only.
  return (
    info.mtimeNs / second === BigInt(seconds) &&
    (nanoseconds === '0' || info.mtimeNs % second === BigInt(nanoseconds))
  );
}
