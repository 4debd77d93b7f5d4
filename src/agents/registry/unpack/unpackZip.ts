import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openPromise, type Entry } from 'yauzl';
import type { Destination } from './destination';

const TYPE = 0o170000;
const SYMLINK = 0o120000;
const MAX_TARGET = 4_096;

/** Unpacks a zip archive. yauzl refuses names that lead out, and content that is longer than announced. */
export async function unpackZip(
  archive: string,
  destination: Destination,
  signal: AbortSignal,
): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      await unpackEntry(entry, () => zip.openReadStreamPromise(entry), destination, signal);
    }
  } finally {
    zip.close();
  }
}

async function unpackEntry(
  { fileName, externalFileAttributes, versionMadeBy, uncompressedSize }: Entry,
  open: () => Promise<Readable>,
  destination: Destination,
  signal: AbortSignal,
): Promise<void> {
  if (fileName.endsWith('/')) return destination.folder(fileName);
  // Only archives made on a Unix say what kind of file it is, and whether it can be run.
  const isUnix = versionMadeBy >>> 8 === 3;
  const mode = isUnix ? externalFileAttributes >>> 16 : 0;
  if ((mode & TYPE) !== SYMLINK) {
    return destination.file(fileName, await open(), (mode & 0o111) !== 0, signal);
  }
  const target = uncompressedSize > MAX_TARGET ? '/' : await text(await open());
  destination.link(fileName, target);
}
