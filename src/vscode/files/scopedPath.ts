import { lstat, readlink, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { isOwnedByGit } from '../../base/fileNames';
import { isBelow } from '../../git/isBelow';
import { FileError, ownedByGit } from '../../session/ports';
import type { FileScope } from '../../session/ports';

/** A path an agent named, checked against the scope. */
export interface ScopedPath {
  /** As given, normalised. */
  readonly given: string;
  /** With every symlink resolved; the file itself need not exist. */
  readonly real: string;
  /** All spellings under which the editor may know the file (through the roots as configured). */
  readonly spellings: readonly string[];
}

const MAX_LINKS = 40;

/**
 * Resolves `given` through symlinks and confines it to `scope`.
 * @throws FileError `relativePath`, or `outsideWorkspace` when the file it leads to is in no root.
 */
export async function resolveInScope(given: string, scope: FileScope): Promise<ScopedPath> {
  if (!path.isAbsolute(given)) {
    throw new FileError('relativePath', `The path must be absolute: ${given}`);
  }
  if (given.includes('\0')) throw new FileError('notFound', 'The path contains a null character.');
  const normal = path.normalize(given);
  const trimmed = normal.length > 1 && /[\\/]$/.test(normal) ? normal.slice(0, -1) : normal;
  const real = await realTarget(trimmed, 0);
  const spellings = new Set([trimmed, real]);
  // Where it leads by now, not what it is called.
  let inside = real === scope.allowedFile;
  for (const root of scope.roots) {
    const realRoot = await realpath(root).catch(() => undefined);
    if (realRoot === undefined) continue;
    if (real !== realRoot && !isBelow(real, realRoot)) continue;
    inside = true;
    spellings.add(path.join(root, path.relative(realRoot, real)));
  }
  if (!inside) {
    throw new FileError('outsideWorkspace', `The file is outside the workspace: ${given}`);
  }
  return { given: trimmed, real, spellings: [...spellings] };
}

/** @throws FileError `ownedByGit`, however git's own folder is spelled */
export function refuseGitFolder({ given, real }: ScopedPath): void {
  if (isOwnedByGit(given) || isOwnedByGit(real)) throw ownedByGit(given);
}

/**
 * `realpath` for files that need not exist: that of the nearest existing ancestor, plus the rest. A link
 * to nowhere counts as what it points to, since writing through it would create that.
 */
async function realTarget(file: string, links: number): Promise<string> {
  const found = await realpath(file).catch(missing);
  if (found !== undefined) return found;
  const link = await lstat(file).catch(missing);
  if (link?.isSymbolicLink() === true) {
    if (links >= MAX_LINKS) throw new FileError('failed', 'Too many symbolic links.');
    const target = await readlink(file);
    return realTarget(path.resolve(path.dirname(file), target), links + 1);
  }
  const parent = path.dirname(file);
  if (parent === file) return file;
  return path.join(await realTarget(parent, links), path.basename(file));
}

/** Undefined for a path that does not exist; other failures become a FileError without internals. */
function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw new FileError('failed', 'The path cannot be resolved.', { cause: error });
}
