import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * Files below `directories` whose names end in `suffix`, as sorted paths relative to the root with
 * forward slashes. Missing directories hold none.
 * @param {readonly string[]} directories relative to the root
 * @param {string} suffix
 */
export function filesBelow(directories, suffix) {
  return directories
    .flatMap(directory => list(path.join(root, directory)))
    .filter(file => file.endsWith(suffix))
    .map(file => path.relative(root, file).split(path.sep).join('/'))
    .sort();
}

/**
 * @param {string} directory
 * @returns {string[]}
 */
function list(directory) {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath ?? entry.path, entry.name));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Those of `files` that match one of the filters of the command line: a directory, a file, or a part of
 * the path. No filter: all.
 * @param {readonly string[]} files
 * @param {readonly string[]} filters
 */
export function matching(files, filters) {
  if (filters.length === 0) return [...files];
  const wanted = filters.map(filter =>
    path.relative(root, path.resolve(filter)).split(path.sep).join('/'),
  );
  return files.filter(
    file =>
      wanted.some(prefix => file === prefix || file.startsWith(`${prefix}/`)) ||
      filters.some(filter => file.includes(filter)),
  );
}

/**
 * @param {readonly string[]} all
 * @param {number} hands
 * @returns {string[][]} the same files in so many parts, about as much in each, in the order given
 */
export function dealt(all, hands) {
  const parts = Array.from({ length: hands }, () => ({
    size: 0,
    files: /** @type {string[]} */ ([]),
  }));
  const sized = all.map(file => ({ file, size: statSync(path.join(root, file)).size }));
  for (const { file, size } of sized.sort((a, b) => b.size - a.size)) {
    const least = parts.reduce((a, b) => (b.size < a.size ? b : a));
    least.files.push(file);
    least.size += size;
  }
  return parts.map(part => all.filter(file => part.files.includes(file)));
}
