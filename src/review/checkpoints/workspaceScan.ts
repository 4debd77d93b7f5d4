import { lstat } from 'node:fs/promises';
import type { Logger } from '../../base/logger';
import { isBelow } from '../../git/isBelow';
import type { GitRepository } from '../../git/repository';
import type { Heads } from './baselines';
import { inParts, type DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { TrackedScope } from './ports';
import { foundIn, listFolder, scanFolder, scanRepository } from './scan';
import type { WatchedRepository, WorkspaceGit } from './workspaceGit';

/** Files looked at at the same time. */
const PARALLEL = 16;
/** So many known files are looked at before a turn begins: a prompt does not wait for more. */
const MAX_BEFORE_TURN = 2_000;

export interface WorkspaceScanServices {
  readonly scope: TrackedScope;
  readonly git: WorkspaceGit;
  readonly known: KnownFiles;
  readonly logger: Logger;
}

/** Looks at the workspace as a whole: before agents begin, and after a turn for what events have missed. */
export class WorkspaceScan {
  /** Roots of repositories, and folders without git, that were looked at as a whole. */
  private readonly complete = new Set<string>();
  private readonly completePlain = new Set<string>();
  /** Folders without git that were looked at, also those that are too large to be remembered. */
  private readonly seenPlain = new Set<string>();

  constructor(private readonly services: WorkspaceScanServices) {}

  /**
   * Remembers what git cannot give back, and without git all there is.
   * @param isOfTurn true for what changed so late that an agent may have done it
   */
  async remember(isOfTurn: (found: DiskFile) => boolean): Promise<void> {
    const { git, scope, logger } = this.services;
    for (const root of scope.roots()) {
      try {
        const watched = await git.containing(root);
        if (watched) await this.rememberRepository(watched, isOfTurn);
        else await this.rememberPlain(root, isOfTurn);
      } catch (error) {
        logger.error(`${root} could not be looked at`, error);
      }
    }
  }

  /** Remembers what git could give back until its repository was removed. */
  async rememberUngoverned(isOfTurn: (found: DiskFile) => boolean): Promise<void> {
    const { git, scope } = this.services;
    for (const root of scope.roots()) {
      const isPlain = !this.seenPlain.has(root) && !(await git.containing(root));
      if (isPlain) await this.rememberPlain(root, isOfTurn);
    }
  }

  private async rememberPlain(root: string, isOfTurn: (found: DiskFile) => boolean): Promise<void> {
    const { scope, known } = this.services;
    this.seenPlain.add(root);
    if (await scanFolder(root, scope, known, isOfTurn)) this.completePlain.add(root);
  }

  /** Whether all of what surrounds `file` is remembered: what is not, was not there. */
  async isComplete(file: string): Promise<boolean> {
    const watched = await this.services.git.of(file);
    if (watched && this.complete.has(watched.repository.root)) return true;
    if (this.services.scope.isExcluded(file)) return false;
    return [...this.completePlain].some(root => isBelow(file, root));
  }

  /**
   * Files that may not be what they were when they were looked at: changed, new or gone.
   * @param heads commits that the files of each repository are compared with as well
   */
  async changed(heads: readonly Heads[]): Promise<readonly string[]> {
    const { scope, known } = this.services;
    const changed: string[] = [];
    for (const root of scope.roots()) {
      const remembered = Array.from(known.below(new Set([root])), ([file]) => file);
      const found = new Set([...(await this.candidates(root, heads)), ...remembered]);
      changed.push(...(await this.touchedOf([...found])));
    }
    return changed;
  }

  /** Files that are not what is known of them, of which no event has come yet; none when too many are known. */
  async changedUnseen(): Promise<readonly string[]> {
    const read = [...this.services.known.there()].filter(([, { kind }]) => kind === 'file');
    return read.length > MAX_BEFORE_TURN ? [] : this.touchedOf(read.map(([file]) => file));
  }

  private async touchedOf(files: readonly string[]): Promise<readonly string[]> {
    const touched: string[] = [];
    for (const some of inParts(files, PARALLEL)) {
      const infos = await Promise.all(some.map(file => lstat(file).catch(() => undefined)));
      for (const [index, file] of some.entries()) {
        if (!this.services.known.isUntouched(file, infos[index])) touched.push(file);
      }
    }
    return touched;
  }

  private async candidates(root: string, heads: readonly Heads[]): Promise<readonly string[]> {
    const { git, scope } = this.services;
    const watched = await git.containing(root);
    if (!watched) return (await listFolder(root, scope)).paths;
    return this.changedIn(watched, heads);
  }

  /** Files that are not as in HEAD, or as in one of `heads`, also of repositories in the repository. */
  private async changedIn(
    { repository, head }: WatchedRepository,
    heads: readonly Heads[],
  ): Promise<readonly string[]> {
    const { paths, nested } = foundIn(repository, (await repository.status()) ?? []);
    const all = [...paths];
    for (const before of new Set(heads.map(commits => commits.get(repository)))) {
      if (before === undefined || head === undefined || before === head) continue;
      const names = await repository.changedBetween(before, head);
      all.push(...names.map(name => repository.absolute(name)));
    }
    for (const inner of await this.inside(repository, nested)) {
      all.push(...(await this.changedIn(inner, heads)));
    }
    return all;
  }

  private async rememberRepository(
    watched: WatchedRepository,
    isOfTurn: (found: DiskFile) => boolean,
  ): Promise<void> {
    const { repository } = watched;
    const nested = await scanRepository(watched, this.services.known, isOfTurn);
    if (nested) this.complete.add(repository.root);
    for (const inner of await this.inside(repository, nested ?? [])) {
      await this.rememberRepository(inner, isOfTurn);
    }
  }

  /** Submodules, and repositories that are not tracked. */
  private async inside(
    repository: GitRepository,
    nested: readonly string[],
  ): Promise<readonly WatchedRepository[]> {
    const submodules = await repository.submodules();
    const folders = [...submodules.map(name => repository.absolute(name)), ...nested];
    const found = await Promise.all(folders.map(folder => this.services.git.containing(folder)));
    return found
      .filter(inner => inner !== undefined)
      .filter(inner => inner.repository !== repository);
  }
}
