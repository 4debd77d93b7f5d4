import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import { extract, type Header } from 'tar-stream';
import bzip2 from 'unbzip2-stream';
import type { Destination } from './destination';
import { UnpackError } from './unpackError';

/** Unpacks a compressed tar archive. @throws UnpackError, or what reading it throws */
export async function unpackTar(
  archive: string,
  compression: 'gzip' | 'bzip2',
  destination: Destination,
  signal: AbortSignal,
): Promise<void> {
  const entries = extract();
  entries.on('entry', (header, content, next) => {
    // Its streams are streams of Node but for their types.
    const readable = content as unknown as Readable;
    readable.on('error', () => undefined);
    unpackEntry(header, readable, destination, signal).then(() => {
      readable.resume();
      next();
    }, next);
  });
  const inflate = compression === 'gzip' ? createGunzip() : (bzip2() as NodeJS.ReadWriteStream);
  // Once the pipeline has failed it does not listen any more, and what is on its way may fail after it.
  inflate.on('error', () => undefined);
  entries.on('error', () => undefined);
  const sink = entries as unknown as Writable;
  await pipeline(createReadStream(archive), inflate, sink, { signal });
}

async function unpackEntry(
  { name, type, mode, linkname }: Header,
  content: Readable,
  destination: Destination,
  signal: AbortSignal,
): Promise<void> {
  switch (type) {
    case 'directory':
      return destination.folder(name);
    case 'file':
    case 'contiguous-file':
      return destination.file(name, content, (mode & 0o111) !== 0, signal);
    case 'symlink':
      return destination.link(name, linkname);
    default:
      throw new UnpackError(
        l10n.t('The archive has an entry that is not a file, folder or link: {0}.', name),
      );
  }
}
