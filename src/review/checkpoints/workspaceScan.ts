import type { Logger } from '../../base/logger';
import { isBelow } from '../../git/isBelow';
import type { GitRepository } from '../../git/repository';
import { isChangedSince, type DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { TrackedScope } from './ports';
import { foundIn, listFolder, scanFolder, scanRepository } from './scan';
import type { WatchedRepository, WorkspaceGit } from './workspaceGit';

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

  constructor(private readonly services: WorkspaceScanServices) {}

  /**
   * Remembers what git cannot give back, and without git all there is.
   * @param isLate true for what changed so late that an agent may have done it
   */
  async remember(isLate: (found: DiskFile) => boolean): Promise<void> {
    const { git, scope, known, logger } = this.services;
    for (const root of scope.roots()) {
      try {
        const watched = await git.containing(root);
        if (watched) await this.rememberRepository(watched, isLate);
        else if (await scanFolder(root, scope, known, isLate)) this.completePlain.add(root);
      } catch (error) {
        logger.error(`${root} could not be looked at`, error);
      }
    }
  }

  /** Whether all of what surrounds `file` is remembered: what is not, was not there. */
  async isComplete(file: string): Promise<boolean> {
    const watched = await this.services.git.of(file);
    if (watched && this.complete.has(watched.repository.root)) return true;
    if (this.services.scope.isExcluded(file)) return false;
    return [...this.completePlain].some(root => isBelow(file, root));
  }

  /** Files that may have changed since `time` (ms since the epoch): changed, new or gone. */
  async changedSince(time: number): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const root of this.services.scope.roots()) {
      for (const file of await this.candidates(root)) {
        if (await isChangedSince(file, time)) changed.push(file);
      }
    }
    return changed;
  }

  private async candidates(root: string): Promise<Iterable<string>> {
    const { git, scope, known } = this.services;
    const watched = await git.containing(root);
    if (!watched) {
      const { paths } = await listFolder(root, scope);
      const remembered = Array.from(known.below(new Set([root])), ([file]) => file);
      return new Set([...paths, ...remembered]);
    }
    return this.changedIn(watched);
  }

  /** Files that are not as in HEAD, also of repositories in the repository. */
  private async changedIn({ repository }: WatchedRepository): Promise<readonly string[]> {
    const { paths, nested } = foundIn(repository, (await repository.status()) ?? []);
    const all = [...paths];
    for (const inner of await this.inside(repository, nested)) {
      all.push(...(await this.changedIn(inner)));
    }
    return all;
  }

  private async rememberRepository(
    watched: WatchedRepository,
    isLate: (found: DiskFile) => boolean,
  ): Promise<void> {
    const { repository } = watched;
    const nested = await scanRepository(watched, this.services.known, isLate);
    if (nested) this.complete.add(repository.root);
    for (const inner of await this.inside(repository, nested ?? [])) {
      await this.rememberRepository(inner, isLate);
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
