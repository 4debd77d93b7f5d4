import { statfs } from 'node:fs/promises';
import * as path from 'node:path';
import { FileError } from '../../session/ports';
import { writeConfined } from './confinedFile';

/**
 * Writes a file so that nothing is lost when there is no room for it.
 * @param file absolute, links resolved
 * @param before what the file is now; undefined when there is none
 * @param full what to say when the disk is full
 * @throws FileError `failed`, saying `full`; else what the file system says
 */
export async function writeOrPutBack(
  file: string,
  bytes: Uint8Array,
  before: Uint8Array | undefined,
  full: string,
): Promise<void> {
  const room = await freeBytes(path.dirname(file));
  if (room !== undefined && bytes.length - (before?.length ?? 0) > room) {
    throw new FileError('failed', full);
  }
  try {
    await writeConfined(file, bytes, before);
  } catch (error) {
    if (/ENOSPC|EDQUOT/.test(String(error))) throw new FileError('failed', full);
    throw error;
  }
}

/** Undefined when the file system does not say. */
async function freeBytes(folder: string): Promise<number | undefined> {
  const info = await statfs(folder).catch(() => undefined);
  return info && info.blocks > 0 ? info.bavail * info.bsize : undefined;
}
