import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import * as path from 'node:path';

const MAX_LINKS = 40;

/**
 * What the links in an absolute path lead to, as far as it exists: a link to nowhere counts as what it points to.
 * Without waiting, so that what is decided of a path is decided of it as it is.
 */
export function realPath(file: string, links = 0): string {
  if (!path.isAbsolute(file) || file.includes('\0')) return file;
  try {
    return realpathSync.native(file);
  } catch {
    const target = linkTarget(file);
    if (target !== undefined && links < MAX_LINKS) {
      return realPath(path.resolve(path.dirname(file), target), links + 1);
    }
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent, links), path.basename(file));
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    return undefined;
  }
}
