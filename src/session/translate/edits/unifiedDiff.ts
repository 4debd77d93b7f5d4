/** Unified diffs, of git and others, read leniently: what is not understood is kept, not passed over. */
import { FilePatch, readPatch, type ReadPatch } from './filePatch';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Characters of a line that names quoted files. */
const MAX_QUOTED = 4096;
const NOWHERE = '/dev/null';
/** Lines that say nothing of what happens to a file. */
const PLAIN = /^(?:index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?|(?:dis)?similarity index \d+%|=+)\s*$/;
const INDEX = 'Index: ';

export function isUnifiedDiff(text: string): boolean {
  return /^(?:diff --git |--- .*\r?\n\+\+\+ |@@ -\d|rename from |Binary files )/m.test(text);
}

/** @param path the file that hunks without a head are of */
export function readUnifiedDiff(text: string, path?: string): ReadPatch {
  const reader = new Reader(path);
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    if (reader.read(lines[at] ?? '', lines[at + 1] ?? '')) at += 1;
  }
  return reader.end();
}

class Reader {
  private readonly files: FilePatch[] = [];
  private readonly rest: string[] = [];
  private file: FilePatch | undefined;
  /** A line that names the file whose `---` comes next. */
  private index: string | undefined;
  /** A file of git whose `---` has not come yet. */
  private isOpen = false;
  /** Lines of the old and of the new text that the hunk being read has; undefined outside of hunks. */
  private hunk: readonly [number, number] | undefined;

  constructor(private readonly path: string | undefined) {}

  /** Reads `line`. True when it has read the `next` one too. */
  read(line: string, next: string): boolean {
    const areNames = line.startsWith('--- ') && next.startsWith('+++ ');
    const isCounted = this.hunk !== undefined && Number.isFinite(this.hunk[0]);
    if ((isCounted || !areNames) && this.inHunk(line)) return false;
    if (areNames) {
      this.names(line.slice(4), next.slice(4));
      return true;
    }
    if (!this.takes(line)) this.rest.push(line);
    return false;
  }

  end(): ReadPatch {
    this.endIndex();
    return readPatch(this.files, this.rest);
  }

  private inHunk(line: string): boolean {
    const { file, hunk } = this;
    if (!file) return false;
    if (line.startsWith('\\ ')) {
      file.endsWithoutLineEnd();
      return true;
    }
    if (!hunk) return false;
    const isTaken = file.take(line);
    const [before, after] = file.lengths;
    if (!isTaken || (before >= hunk[0] && after >= hunk[1])) this.hunk = undefined;
    return isTaken;
  }

  private open(path: string): FilePatch {
    const file = new FilePatch(path, 'modified');
    this.files.push(file);
    this.file = file;
    this.isOpen = false;
    this.hunk = undefined;
    return file;
  }

  private names(before: string, after: string): void {
    const [old, now] = [pathOf(before), pathOf(after)];
    this.endIndex(old, now);
    const isGit =
      (old === NOWHERE || old.startsWith('a/')) && (now === NOWHERE || now.startsWith('b/'));
    const [from, to] = isGit ? [plain(old), plain(now)] : [old, now];
    const file = this.isOpen && this.file ? this.file : this.open(to);
    this.isOpen = false;
    this.hunk = undefined;
    file.path = to === NOWHERE ? from : to;
    if (to === NOWHERE) file.change = 'deleted';
    else if (from === NOWHERE) file.change = 'added';
    else if (from !== to && file.change === 'modified') {
      file.change = 'moved';
      file.oldPath = from;
    }
  }

  /** An index that names another file than these says more than they do. */
  private endIndex(...paths: readonly string[]): void {
    const { index } = this;
    this.index = undefined;
    if (index === undefined) return;
    const name = plain(pathOf(index.slice(INDEX.length)));
    if (!paths.some(path => plain(path) === name)) this.rest.push(index);
  }

  private takes(line: string): boolean {
    if (line.startsWith(INDEX)) {
      this.endIndex();
      this.index = line;
      return true;
    }
    if (line.trim() === '' || PLAIN.test(line)) return true;
    const git = /^diff --git (.+)$/.exec(line)?.[1];
    if (git !== undefined) {
      this.open(gitPath(git));
      this.isOpen = true;
      return true;
    }
    if (line.startsWith('@@')) return this.begins(line);
    if (line.startsWith('Binary files ') && line.endsWith(' differ')) {
      const names = line.slice('Binary files '.length, -' differ'.length);
      const middle = names.indexOf(' and ');
      this.names(names.slice(0, Math.max(0, middle)), names.slice(middle < 0 ? 0 : middle + 5));
      // What changes in it is not seen.
      return false;
    }
    return this.file !== undefined && marks(this.file, line);
  }

  private begins(line: string): boolean {
    if (!this.file && this.path === undefined) return false;
    const file = this.file ?? this.open(this.path ?? '');
    const [, oldLine, oldCount = '1', newLine, newCount = '1'] = HUNK.exec(line) ?? [];
    if (oldLine === undefined) {
      file.begin();
      this.hunk = [Infinity, Infinity];
      return true;
    }
    file.begin(Math.max(1, Number(newCount === '0' ? oldLine : newLine)));
    this.hunk = [Number(oldCount), Number(newCount)];
    return true;
  }
}

/** The lines by which git says what happens to `file`. Answers false when there is more to them. */
function marks(file: FilePatch, line: string): boolean {
  const [, mark, name = ''] = /^(rename from|rename to|copy to) (.+)$/.exec(line) ?? [];
  if (mark === 'rename from') {
    file.change = 'moved';
    file.oldPath = unquoted(name);
    return true;
  }
  if (mark !== undefined) {
    file.path = unquoted(name);
    if (mark === 'copy to') file.change = 'added';
    return true;
  }
  if (line.startsWith('deleted file mode ')) {
    file.change = 'deleted';
    return true;
  }
  if (!line.startsWith('new file mode ')) return false;
  file.change = 'added';
  // A link or a program is not known by its text.
  return /mode 100644\s*$/.test(line);
}

/** `a/x b/x`, of which either half may be quoted. */
function gitPath(names: string): string {
  const quoted = names.length <= MAX_QUOTED && /"((?:[^"\\]|\\.)*)"$/.exec(names);
  if (quoted) return plain(unquoted(quoted[0]));
  const half = names.slice(0, (names.length - 1) / 2);
  const other = names.slice(half.length + 1);
  if (plain(half) === plain(other)) return plain(other);
  return plain(names.slice(names.lastIndexOf(' b/') + 1));
}

/** A name after `---` or `+++`, which a tab and a time may follow. */
function pathOf(text: string): string {
  return unquoted(text.replace(/\t.*$/, '').trim());
}

function plain(path: string): string {
  return path.replace(/^[ab]\//, '');
}

/** Git writes unusual names in quotes, with the bytes of UTF-8 as octal numbers. */
function unquoted(text: string): string {
  const inner = /^"(.*)"$/.exec(text)?.[1];
  if (inner === undefined) return text;
  const bytes: number[] = [];
  for (const [piece] of inner.matchAll(/\\[0-7]{3}|\\.|[^\\]/gsu)) {
    if (/^\\[0-7]{3}$/.test(piece)) bytes.push(parseInt(piece.slice(1), 8));
    else bytes.push(...new TextEncoder().encode(escaped(piece)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function escaped(piece: string): string {
  if (!piece.startsWith('\\')) return piece;
  const character = piece.slice(1);
  return { n: '\n', t: '\t', r: '\r' }[character] ?? character;
}
