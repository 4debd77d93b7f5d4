import { withoutHidden } from './hiddenCharacters';

/** Names of files as file systems take them that ignore some characters, and case. */

/** A name without what some file systems do not see of it: blanks and dots at its end, hidden characters, streams. */
export function plainName(name: string): string {
  // Behind a colon stands the name of a stream.
  const plain = withoutHidden(name).replace(/:[^]*/, '');
  const trimmed = withoutEnd(plain).replace(/^git~\d$/i, '.git');
  // `.. ` leads up, and a name of nothing but blanks nowhere.
  return trimmed || plain.trim() || (name && '.');
}

/** Without blanks and dots at the end. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s.]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** Equal for names that a file system without case takes for one. */
export function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** Whether a path leads into git's own folder, however that is spelled. */
export function isOwnedByGit(path: string): boolean {
  return path.split(/[\\/]/).some(name => folded(plainName(name)) === '.git');
}
