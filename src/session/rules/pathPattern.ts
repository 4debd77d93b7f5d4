import { folded } from '../../base/fileNames';
import { fits, textFits } from '../../base/wildcards';
import { likeWindows, resolved, type PathPlace, type Resolved } from '../requests/resolvedPath';

/** Alternatives in braces beyond which a pattern is not read: it certainly means nothing, and may mean anything. */
const MAX_ALTERNATIVES = 100;

/**
 * A glob of files: from any of the workspace's folders, or absolute. `*` and `?` stay within a name, `**` is any
 * number of folders, `{a,b}` one of both.
 */
export class PathPattern {
  /** It names one file. */
  readonly isExact: boolean;
  private readonly isRead: boolean;
  private readonly globs: readonly Resolved[];
  /** The same at any depth, where it names no folder. */
  private readonly anywhere: readonly Resolved[];

  constructor(
    text: string,
    private readonly place: PathPlace,
  ) {
    this.isExact = !/[*?{]/.test(text);
    const all = alternatives(text.replaceAll('\\', '/'));
    this.isRead = all.length <= MAX_ALTERNATIVES;
    const read = this.isRead ? all : [];
    this.globs = read.flatMap(each => absolute(each, place));
    this.anywhere = read
      .filter(each => !each.includes('/'))
      .map(each => ({ root: '', names: ['**', each] }));
  }

  /** Whether it means the file by that very path. */
  fits(path: string): boolean {
    const file = resolved(path, this.place);
    return this.globs.some(glob => glob.root === file.root && namesFit(glob.names, file.names));
  }

  /**
   * Whether it may mean the file, however that is spelled, or a folder that the file is in. One without a slash
   * means files of that name at any depth.
   */
  mayFit(path: string): boolean {
    if (!this.isRead) return true;
    const files = [path, likeWindows(path)].map(each => resolved(each, this.place));
    return [...this.globs, ...this.anywhere].some(glob => {
      const names = [...glob.names, '**'].map(folded);
      return files.some(
        file =>
          (glob.root === '' || glob.root === file.root) && namesFit(names, file.names.map(folded)),
      );
    });
  }
}

function namesFit(glob: readonly string[], names: readonly string[]): boolean {
  return fits(
    glob,
    names,
    each => each === '**',
    (each, name) => textFits(each, name, '?'),
  );
}

function absolute(glob: string, place: PathPlace): readonly Resolved[] {
  if (/^(?:\/|~|\$HOME|[A-Za-z]:)/.test(glob)) return [resolved(glob, place)];
  return place.roots.map(root => resolved(glob, { ...place, cwd: root }));
}

function alternatives(glob: string): readonly string[] {
  const found: string[] = [];
  const open = [glob];
  while (open.length > 0) {
    if (found.length + open.length > MAX_ALTERNATIVES) return [...found, ...open];
    const text = open.pop() ?? '';
    // The innermost, which has no braces in it.
    const [whole, inner = ''] = /\{([^{}]*)\}/.exec(text) ?? [];
    if (whole === undefined) found.push(text);
    else open.push(...inner.split(',').map(each => text.replace(whole, () => each)));
  }
  return found;
}
