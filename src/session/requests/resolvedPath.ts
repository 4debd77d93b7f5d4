/** Absolute paths in parts, from whatever an agent calls a file. Links are not followed. Pure. */
import { folded, plainName } from '../../base/fileNames';

/** Where paths of a request are meant from; absolute. */
export interface PathPlace {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly home?: string;
  /** Globs of files that the user wants to be asked about, too. */
  readonly protectedFiles?: readonly string[];
}

/** An absolute path in parts. */
export interface Resolved {
  /** `/`, a drive as `c:/`, a share as `//`, or `~` for a home that is not known. */
  readonly root: string;
  readonly names: readonly string[];
}

export function resolved(path: string, place: PathPlace): Resolved {
  const text = withHome(asPath(path), place.home).normalize('NFC');
  const drive = /^[a-z]:/i.exec(text)?.[0];
  if (drive) return parts(`${drive.toLowerCase()}/`, text.slice(drive.length));
  if (text.startsWith('~')) return parts('~', text);
  if (text.startsWith('//') && !text.startsWith('///') && /^.{2}[^/]+\/+[^/]/.test(text)) {
    return isPosix(place) ? parts('/', text) : parts('//', text);
  }
  if (text.startsWith('/')) return parts('/', text);
  const { cwd } = place;
  const base = /^(?:[\\/]|[a-z]:)/i.test(cwd) ? resolved(cwd, place) : parts('/', cwd);
  return parts(base.root, [...base.names, text].join('/'));
}

/** With forward slashes, and without what only says how to read it (`\\?\`, `file://`). */
function asPath(path: string): string {
  return path
    .replace(/^file:\/\/(?:localhost)?(?=\/)(?:\/(?=[a-z]:))?/i, '')
    .replaceAll('\\', '/')
    .replace(/^\/\/[?.]\/(?:UNC\/)?/i, prefix => (prefix.length > 4 ? '//' : ''));
}

function withHome(path: string, home: string | undefined): string {
  const prefix =
    /^(?:~|\$HOME|\$\{HOME\}|\$env:(?:HOME|USERPROFILE)|%(?:HOME|USERPROFILE)%)(?=\/|$)/i.exec(
      path,
    );
  if (!prefix) return path;
  return (home === undefined ? '~' : asPath(home)) + path.slice(prefix[0].length);
}

function isPosix({ cwd, roots }: PathPlace): boolean {
  return [cwd, ...roots].every(each => /^\/(?!\/)/.test(each));
}

function parts(root: string, text: string): Resolved {
  const names: string[] = [];
  for (const name of text.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return { root, names };
}

/** The path as file systems take it that ignore some characters, and what stands behind a name. */
export function likeWindows(path: string): string {
  const [, prefix = '', rest = ''] =
    /^((?:[\\/]{2}[?.][\\/])?(?:[a-z]:)?)([^]*)$/i.exec(path) ?? [];
  return prefix + rest.split(/[\\/]/).map(plainName).join('/');
}

export function isIn(path: Resolved, folder: Resolved): boolean {
  if (path.root !== folder.root) return false;
  const fold = (name: string | undefined) => (path.root === '/' ? name : folded(name ?? ''));
  return (
    path.names.length >= folder.names.length &&
    folder.names.every((name, at) => fold(name) === fold(path.names[at]))
  );
}
