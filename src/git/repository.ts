import { readFileSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import type { Git } from './gitProcess';
import { isAsIndexed, parseIndexStats } from './indexStat';
import { isBelow } from './isBelow';
import { parseStatus, type StatusEntry } from './porcelain';
import { parseTree, type TreeEntry } from './treeFiles';

/** Paths given to one run of git. */
const BATCH = 1_000;
/** Characters of paths on one command line: Windows takes no more than 32,767 in all. */
const BATCH_CHARACTERS = 24_000;
/** Filters may make files larger than they were committed. */
const MAX_BATCH_BYTES = 256 * 1024 * 1024;

/** A work tree and its repository. Nothing here throws: what git cannot say is undefined or empty. */
export class GitRepository {
  private constructor(
    private readonly git: Git,
    /** Root of the work tree: absolute, links resolved. */
    readonly root: string,
    /** Where HEAD and the index of this work tree are: absolute. */
    readonly gitDir: string,
    /** Where refs are: absolute; differs from `gitDir` in a linked work tree. */
    readonly commonDir: string,
  ) {}

  /** The repository that `folder` is in; undefined when there is none (or no git, or a bare one). */
  static async containing(folder: string, git: Git): Promise<GitRepository | undefined> {
    try {
      const { code, stdout } = await git(
        ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'],
        { cwd: folder },
      );
      const [top, gitDir, commonDir] = stdout.toString('utf8').split(/\r?\n/);
      if (code !== 0 || !top || !gitDir || !commonDir) return undefined;
      const root = await realpath(top);
      return new GitRepository(
        git,
        root,
        path.resolve(gitDir),
        path.resolve(await realpath(folder), commonDir),
      );
    } catch {
      return undefined;
    }
  }

  /** The commit that HEAD names; undefined before the first commit. */
  async head(): Promise<string | undefined> {
    const result = await this.run(['rev-parse', '--verify', '--quiet', 'HEAD']);
    const sha = result?.toString('utf8').trim();
    return sha === undefined || sha === '' ? undefined : sha;
  }

  /**
   * Where HEAD is at this very moment: another `mark` whenever it has moved, and its commit, unless only git knows
   * (before the first commit, and of references that are packed).
   */
  headNow(): { readonly mark: string; readonly commit: string | undefined } {
    const head = readIfThereNow(path.join(this.gitDir, 'HEAD')).trim();
    const ref = /^ref: (.+)/.exec(head)?.[1];
    const commit = ref === undefined ? head : readIfThereNow(path.join(this.commonDir, ref)).trim();
    const log = statSync(path.join(this.gitDir, 'logs', 'HEAD'), { throwIfNoEntry: false });
    return {
      mark: [head, commit, log?.size ?? 0].join(),
      commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined,
    };
  }

  /** Paths (relative) of what differs between two commits; empty when git failed. */
  async changedBetween(before: string, after: string): Promise<readonly string[]> {
    const command = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', before, after];
    const output = await this.run(command);
    return output?.toString('utf8').split('\0').filter(Boolean) ?? [];
  }

  /** Those of `paths` (relative) where the very file stands that the index has seen last. */
  async freshInIndex(paths: readonly string[]): Promise<readonly string[]> {
    const fresh: string[] = [];
    for (const some of batches(paths)) {
      const command = ['--literal-pathspecs', 'ls-files', '--debug', '-z', '--', ...some];
      const output = await this.run(command);
      for (const [name, indexed] of parseIndexStats(output?.toString('utf8') ?? '')) {
        if (await isAsIndexed(this.absolute(name), indexed)) fresh.push(name);
      }
    }
    return fresh;
  }

  /**
   * Everything that is not as in HEAD, untracked files singly and ignored ones left out. With `paths`
   * (relative) only those. Undefined when git failed.
   */
  async status(paths?: readonly string[]): Promise<readonly StatusEntry[] | undefined> {
    const command = [
      '--literal-pathspecs',
      'status',
      '--porcelain=v2',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '--no-renames',
    ];
    if (!paths) {
      const output = await this.run(command);
      return output && parseStatus(output.toString('utf8'));
    }
    const entries: StatusEntry[] = [];
    for (const some of batches(paths)) {
      const output = await this.run([...command, '--', ...some]);
      if (!output) return undefined;
      entries.push(...parseStatus(output.toString('utf8')));
    }
    return entries;
  }

  /** What `commit` has at these paths (relative) and at folders above; undefined when git failed. */
  async entriesAt(
    commit: string,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
    const found = new Map<string, TreeEntry>();
    for (const some of batches(paths)) {
      const command = ['--literal-pathspecs', 'ls-tree', '-l', '-t', '-z', '--full-tree', commit];
      const output = await this.run([...command, '--', ...some]);
      if (!output) return undefined;
      for (const [name, entry] of parseTree(output.toString('utf8'))) found.set(name, entry);
    }
    return found;
  }

  /** The ids that the files at `paths` (relative) would have if they were added now. */
  async objectsOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const names = paths.filter(name => !name.includes('\n'));
    for (let start = 0; start < names.length; start += BATCH) {
      const some = names.slice(start, start + BATCH);
      const output = await this.run(['hash-object', '--stdin-paths'], `${some.join('\n')}\n`);
      const objects = output?.toString('utf8').split('\n') ?? [];
      some.forEach((name, index) => {
        const object = objects[index];
        if (object) found.set(name, object);
      });
    }
    return found;
  }

  /** The commits of its stashes, the latest first. */
  async stashes(): Promise<readonly string[]> {
    // What `git stash list` reads; a process is too dear to ask at the start of each turn.
    const log = path.join(this.commonDir, 'logs', 'refs', 'stash');
    const lines = (await readIfThere(log)).split('\n');
    return lines.flatMap(line => /^\S+ (\S+) /.exec(line)?.[1] ?? []).reverse();
  }

  /** The file with the id `object` as a checkout would write it at `relative`. */
  object(object: string, relative: string, maxBytes?: number): Promise<Buffer | undefined> {
    const command = ['cat-file', '--filters', `--path=${relative}`, object];
    return this.run(command, undefined, maxBytes);
  }

  /** What `git cat-file --batch --filters` answers to `input`. */
  catFiles(input: string): Promise<Buffer | undefined> {
    return this.run(['cat-file', '--batch', '--filters'], input, MAX_BATCH_BYTES);
  }

  /** Those of `paths` (relative) that git ignores. Tracked files are never ignored. */
  async ignored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let start = 0; start < paths.length; start += BATCH) {
      await this.addIgnored(paths.slice(start, start + BATCH), found);
    }
    return found;
  }

  private async addIgnored(paths: readonly string[], found: Set<string>): Promise<void> {
    const input = `${paths.join('\0')}\0`;
    const result = await this.git(['check-ignore', '--stdin', '-z'], {
      cwd: this.root,
      input,
    }).catch(() => undefined);
    // 1 says that none is ignored. One path that git will not look at (in a submodule, behind a link)
    // fails all of them.
    if (result && result.code > 1 && paths.length > 1) {
      const half = paths.length >> 1;
      await this.addIgnored(paths.slice(0, half), found);
      await this.addIgnored(paths.slice(half), found);
      return;
    }
    for (const name of result?.stdout.toString('utf8').split('\0') ?? []) if (name) found.add(name);
  }

  /** Paths (relative) of its submodules. */
  async submodules(): Promise<readonly string[]> {
    const command = ['config', '-z', '--file', '.gitmodules', '--get-regexp', '\\.path$'];
    const output = await this.run(command);
    // Each is the key, a line feed, and the path.
    return (output?.toString('utf8').split('\0') ?? []).flatMap(
      entry => entry.split('\n')[1] ?? [],
    );
  }

  /** Paths (relative) of all files that `commit` has below `folder` (relative). */
  async filesBelow(commit: string, folder: string): Promise<readonly string[]> {
    const command = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--name-only', '--full-tree'];
    const output = await this.run([...command, commit, '--', `${folder}/`]);
    return output?.toString('utf8').split('\0').filter(Boolean) ?? [];
  }

  /** `file` (absolute, links resolved) relative to the root, with forward slashes; undefined outside. */
  relative(file: string): string | undefined {
    if (!isBelow(file, this.root)) return undefined;
    return path.relative(this.root, file).split(path.sep).join('/');
  }

  absolute(relative: string): string {
    return path.join(this.root, ...relative.split('/'));
  }

  private async run(
    args: readonly string[],
    input?: string,
    maxBytes?: number,
  ): Promise<Buffer | undefined> {
    try {
      const result = await this.git(args, {
        cwd: this.root,
        ...(input !== undefined && { input }),
        ...(maxBytes !== undefined && { maxBytes }),
      });
      return result.code === 0 ? result.stdout : undefined;
    } catch {
      return undefined;
    }
  }
}

function readIfThereNow(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Parts of `paths` that fit on a command line. */
function* batches(paths: readonly string[]): Iterable<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const name of paths) {
    if (
      batch.length >= BATCH ||
      (batch.length > 0 && characters + name.length > BATCH_CHARACTERS)
    ) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(name);
    // With what separates it from the next, and quotes.
    characters += name.length + 3;
  }
  if (batch.length > 0) yield batch;
}
