import { lstat, readFile, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import * as path from 'node:path';
import { hashOf } from '../store/blobs';

/** Files larger than this are not reviewed by lines, and their bytes are not kept. */
export const MAX_TRACKED_BYTES = 10 * 1024 * 1024;

/** The file system's clock ticks less finely than ours: what it dates may seem to be this much earlier. */
export const CLOCK_SLACK_MS = 10;

/** A path as it stands on disk. */
export type DiskFile =
  | { readonly kind: 'absent'; readonly changedAt: number | undefined }
  | {
      readonly kind: 'file';
      /** Undefined beyond `MAX_TRACKED_BYTES`. */
      readonly bytes: Uint8Array | undefined;
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      /** When content, name or mode last changed: ms since the epoch, by the file system's clock. */
      readonly changedAt: number;
      /** It was read in the tick of that clock in which it had changed: what is written next may have the same time. */
      readonly isJustChanged?: true;
    }
  | { readonly kind: 'folder' | 'link'; readonly changedAt: number }
  /** A socket, a device, or what may not be read. */
  | { readonly kind: 'other' };

/** Undefined when the disk does not say. */
export function changedAt(found: DiskFile): number | undefined {
  return found.kind === 'other' ? undefined : found.changedAt;
}

/** So often at most is a file looked at that is written meanwhile: its next event comes anyway. */
const MAX_LOOKS = 5;

/** What there is at `file`: of a file the bytes and the time that belong together. */
export async function lookAt(file: string): Promise<DiskFile> {
  for (let looks = 1; ; looks++) {
    const found = await lookOnce(file);
    if (found.kind !== 'file' || looks === MAX_LOOKS) return found;
    const info = await lstat(file).catch(() => undefined);
    // New bytes under the time of what they took the place of would be somebody else's.
    if (info?.ctimeMs === found.changedAt) return found;
  }
}

async function lookOnce(file: string): Promise<DiskFile> {
  try {
    const info = await lstat(file);
    // Not the time of the content: programs set that to what they like.
    const changedAt = info.ctimeMs;
    if (info.isDirectory()) return { kind: 'folder', changedAt };
    if (info.isSymbolicLink()) return { kind: 'link', changedAt };
    if (!info.isFile()) return { kind: 'other' };
    const { size, mode } = info;
    if (size > MAX_TRACKED_BYTES) {
      // Enough to distinguish two states.
      const hash = hashOf(Buffer.from(`${size} ${info.mtimeMs}`));
      return { kind: 'file', bytes: undefined, hash, size, mode, changedAt };
    }
    const readAt = Date.now();
    const bytes = await readFile(file);
    return {
      kind: 'file',
      bytes,
      hash: hashOf(bytes),
      size: bytes.length,
      mode,
      changedAt,
      ...(readAt - changedAt <= CLOCK_SLACK_MS && { isJustChanged: true as const }),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return { kind: 'other' };
    return { kind: 'absent', changedAt: await latestAbove(file) };
  }
}

/** When the nearest folder there is last changed: what is gone from it was gone by then. */
async function latestAbove(file: string): Promise<number | undefined> {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const info = await lstat(folder).catch(() => undefined);
    if (info) return info.mtimeMs;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Makes room for a file: takes away a link or empty folders that stand there. @returns false: it cannot */
export async function makeRoom(file: string): Promise<boolean> {
  const info = await lstat(file).catch(() => undefined);
  if (!info || info.isFile()) return true;
  try {
    if (info.isDirectory()) await removeEmpty(file);
    else await rm(file);
    return true;
  } catch {
    return false;
  }
}

/** @throws when a file is in it */
async function removeEmpty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const inner = path.join(folder, name);
    if (!(await lstat(inner)).isDirectory()) throw new Error(`${inner} is there`);
    await removeEmpty(inner);
  }
  await rmdir(folder);
}

/**
 * The places that an event for `file` is about: where it is and, of a link, also where it leads.
 * @param folders folders with their links resolved, of earlier calls for the same events
 */
export async function placesOf(
  file: string,
  folders = new Map<string, Promise<string>>(),
): Promise<readonly string[]> {
  const given = path.dirname(file);
  const folder = folders.get(given) ?? canonical(given);
  folders.set(given, folder);
  const place = path.join(await folder, path.basename(file));
  const info = await lstat(place).catch(() => undefined);
  return info?.isSymbolicLink() ? [place, await canonical(place)] : [place];
}

/** `file` with its links resolved; it need not exist. */
export async function canonical(file: string): Promise<string> {
  const found = await realpath(file).catch(() => undefined);
  if (found !== undefined) return found;
  const parent = path.dirname(file);
  return parent === file ? file : path.join(await canonical(parent), path.basename(file));
}

export function* inParts<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
