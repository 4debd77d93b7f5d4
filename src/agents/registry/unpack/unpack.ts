import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Destination, type UnpackLimits } from './destination';
import { UnpackError } from './unpackError';
import { unpackTar } from './unpackTar';
import { unpackZip } from './unpackZip';

type Format = 'zip' | 'gzip' | 'bzip2' | 'raw';

/** By its address, as the registry has it. @throws UnpackError for installers and the like */
export function archiveFormat(address: string): Format {
  const { pathname } = new URL(address);
  if (/\.zip$/i.test(pathname)) return 'zip';
  if (/\.(?:tar\.gz|tgz)$/i.test(pathname)) return 'gzip';
  if (/\.(?:tar\.bz2|tbz2)$/i.test(pathname)) return 'bzip2';
  if (/\.(?:dmg|pkg|deb|rpm|msi|appx|gz|bz2|xz|zst|7z|rar)$/i.test(pathname)) {
    throw new UnpackError(
      l10n.t('Parley cannot unpack {0}.', pathname.split('/').at(-1) ?? pathname),
    );
  }
  return 'raw';
}

/**
 * Unpacks a downloaded archive.
 * @param folder empty
 * @param command path of the program in it; what is no archive becomes that file
 */
export async function unpack(
  archive: string,
  format: Format,
  folder: string,
  command: string,
  signal: AbortSignal,
  limits?: UnpackLimits,
): Promise<void> {
  const program = join(folder, ...command.split('/'));
  if (format === 'raw') {
    await mkdir(dirname(program), { recursive: true });
    await copyFile(archive, program);
  } else {
    const destination = new Destination(folder, limits);
    if (format === 'zip') await unpackZip(archive, destination, signal);
    else await unpackTar(archive, format, destination, signal);
    await destination.finish();
  }
  await chmod(program, 0o755).catch(() => {
    throw new UnpackError(
      l10n.t('The archive does not contain {0}, which the list of agents names.', command),
    );
  });
}
