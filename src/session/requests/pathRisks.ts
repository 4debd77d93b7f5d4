import { withoutHidden } from '../../base/visibleText';
import type { PathWarning, RunsCode } from '../state/permission';
import { ReadBudget, scriptsIn } from './commandScripts';
import { RUNS_CODE } from './runsCode';

/** Where paths of a request are meant from; absolute. */
export interface PathPlace {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly home?: string;
}

export interface PathRisk {
  /** Whether it is in none of the roots, as far as its name says: links are not followed. */
  readonly outside: boolean;
  readonly runs?: RunsCode;
}

/** What is to be known of a path before it is written, however it is spelled. Where spellings differ, the worse counts. */
export function pathRisk(path: string, place: PathPlace): PathRisk {
  return pathRisks(place)(path);
}

/** The same for many paths of one place. */
export function pathRisks(place: PathPlace): (path: string) => PathRisk {
  const roots = place.roots.map(root => resolved(root, place));
  return path => {
    const spellings = [...new Set([likeWindows(path), path])].map(each => resolved(each, place));
    const outside = spellings.some(each => !roots.some(root => isIn(each, root)));
    const runs = spellings.map(runsOf).find(code => code !== undefined);
    return { outside, ...(runs && { runs }) };
  };
}

/** The files that a command names from which code is run, each once; in quoted commands too. */
export function riskyWords(
  command: string,
  place: PathPlace,
  budget = new ReadBudget(),
): readonly PathWarning[] {
  const riskOf = pathRisks(place);
  const found: PathWarning[] = [];
  const seen = new Set<string>();
  for (const path of pathsIn(command, budget)) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { outside, runs } = riskOf(path);
    if (runs) found.push({ path, outside, runs });
  }
  return found;
}

function* pathsIn(text: string, budget: ReadBudget): Iterable<string> {
  for (const { runs } of scriptsIn(text, budget)) {
    for (const { assignments, words, redirections } of runs.map(({ command }) => command)) {
      const targets = redirections.flatMap(({ target }) => (target ? [target] : []));
      for (const { value } of [...assignments, ...words, ...targets]) {
        // In `--file=path` and `of=path` the path is behind the sign.
        yield value.replace(/^[\w-]+=/, '');
      }
    }
  }
}

/** An absolute path in parts. */
interface Resolved {
  /** `/`, a drive as `c:/`, a share as `//`, or `~` for a home that is not known. */
  readonly root: string;
  readonly names: readonly string[];
}

function resolved(path: string, place: PathPlace): Resolved {
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
function likeWindows(path: string): string {
  const [, prefix = '', rest = ''] =
    /^((?:[\\/]{2}[?.][\\/])?(?:[a-z]:)?)([^]*)$/i.exec(path) ?? [];
  return prefix + rest.split(/[\\/]/).map(nameLikeWindows).join('/');
}

function nameLikeWindows(name: string): string {
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

function isIn(path: Resolved, folder: Resolved): boolean {
  if (path.root !== folder.root) return false;
  const fold = (name: string | undefined) => (path.root === '/' ? name : folded(name ?? ''));
  return (
    path.names.length >= folder.names.length &&
    folder.names.every((name, at) => fold(name) === fold(path.names[at]))
  );
}

/** Equal for names that a file system without case takes for one. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const RULES = Object.entries(RUNS_CODE).map(([code, patterns]) => ({
  code: code as RunsCode,
  pattern: new RegExp(patterns.split(/\s+/).map(source).join('|')),
}));

function source(pattern: string): string {
  const below = pattern.endsWith('/**');
  const name = below ? pattern.slice(0, -3) : pattern;
  const expression = name.replace(/[.]/g, '\\.').replaceAll('*', '[^/]*');
  // What Apple keeps in /private is linked to from the root.
  const start = pattern.startsWith('/') ? '^(?:/private)?' : '/';
  return `${start}${expression}${below ? '(?:/|$)' : '$'}`;
}

function runsOf({ names }: Resolved): RunsCode | undefined {
  const path = folded(`/${names.join('/')}`);
  return RULES.find(({ pattern }) => pattern.test(path))?.code;
}
