import { createWriteStream } from 'node:fs';
import { lstat, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import { UnpackError } from './unpackError';

export interface UnpackLimits {
  readonly entries: number;
  readonly bytes: number;
}

export const UNPACK_LIMITS: UnpackLimits = { entries: 50_000, bytes: 4_000_000_000 };

/** Names that Windows gives to devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The folder that an archive is unpacked into. Nothing is written outside it, nothing twice, and nothing through a link:
 * links are made when all else is there, and each must lead to something inside.
 */
export class Destination {
  private entries = 0;
  private bytes = 0;
  private readonly links: { readonly name: string; readonly target: string }[] = [];

  /** @param root an empty folder */
  constructor(
    private readonly root: string,
    private readonly limits: UnpackLimits = UNPACK_LIMITS,
  ) {}

  async folder(name: string): Promise<void> {
    this.count();
    const parts = checkedParts(name, true);
    await mkdir(join(this.root, ...parts), { recursive: true });
  }

  async file(
    name: string,
    content: Readable,
    isExecutable: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    this.count();
    const path = join(this.root, ...checkedParts(name));
    await mkdir(dirname(path), { recursive: true });
    const output = createWriteStream(path, { flags: 'wx', mode: isExecutable ? 0o755 : 0o644 });
    try {
      await pipeline(content, this.meter(), output, { signal });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? twice(name) : error;
    }
  }

  link(name: string, target: string): void {
    this.count();
    const folder = posix.join(...checkedParts(name), '..');
    // As it reads; how it resolves is checked once all links are there.
    const parts = target.replaceAll('\\', '/');
    if (
      posix.isAbsolute(parts) ||
      /^[a-z]:/i.test(parts) ||
      leavesRoot(posix.join(folder, parts))
    ) {
      throw leadsOut(name);
    }
    this.links.push({ name, target: parts });
  }

  /** To be called when everything has been unpacked. */
  async finish(): Promise<void> {
    const root = await realpath(this.root);
    for (const { name, target } of this.links) {
      const path = join(this.root, ...checkedParts(name));
      // Before anything is made there: links that were made before may lead the way.
      const start = await realpath(await nearest(dirname(path))).catch(() => undefined);
      if (start === undefined || !isWithin(root, start)) throw leadsOut(name);
      await mkdir(dirname(path), { recursive: true });
      if (await lstat(path).catch(() => undefined)) throw twice(name);
      await symlink(target, path);
    }
    for (const { name } of this.links) {
      const real = await realpath(join(this.root, ...checkedParts(name))).catch(() => undefined);
      if (real === undefined || !isWithin(root, real)) throw leadsOut(name);
    }
  }

  private count(): void {
    this.entries += 1;
    if (this.entries > this.limits.entries) throw tooMuch();
  }

  private meter(): Transform {
    return new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        this.bytes += piece.byteLength;
        if (this.bytes > this.limits.bytes) done(tooMuch());
        else done(null, piece);
      },
    });
  }
}

/** @throws UnpackError for a name that leads elsewhere, on any system */
function checkedParts(name: string, isFolder = false): string[] {
  const slashes = name.replaceAll('\\', '/');
  const parts = slashes.split('/').filter(part => part !== '' && part !== '.');
  const isBad = (part: string): boolean =>
    /^\.+$/.test(part) || /[\0-\x1f:]|[. ]$/.test(part) || DEVICE.test(part) || part.length > 255;
  if (slashes.startsWith('/') || parts.some(isBad) || (parts.length === 0 && !isFolder)) {
    throw new UnpackError(
      l10n.t('The archive has a file that would be written outside its folder: {0}.', name),
    );
  }
  return parts;
}

/** The folder itself, or the nearest one above it that is there, be it a link. */
async function nearest(folder: string): Promise<string> {
  const isThere = await lstat(folder).catch(() => undefined);
  return isThere || folder === dirname(folder) ? folder : nearest(dirname(folder));
}

function leavesRoot(path: string): boolean {
  return path === '..' || path.startsWith('../');
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}

function leadsOut(name: string): UnpackError {
  return new UnpackError(l10n.t('The archive has a link to a file outside it: {0}.', name));
}

function twice(name: string): UnpackError {
  return new UnpackError(l10n.t('The archive has the same name twice: {0}.', name));
}

function tooMuch(): UnpackError {
  return new UnpackError(l10n.t('The archive is too large.'));
}
