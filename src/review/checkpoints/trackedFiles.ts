import * as path from 'node:path';
import { isBelow } from '../../git/isBelow';
import type { GitRepository } from '../../git/repository';
import type { TrackedScope } from './ports';
import type { WorkspaceGit } from './workspaceGit';

/** Which files are reviewed: those of the workspace that git, or without it the user's settings, do not ignore. */
export class TrackedFiles {
  constructor(
    private readonly scope: TrackedScope,
    private readonly git: Pick<WorkspaceGit, 'of'>,
  ) {}

  isInside(file: string): boolean {
    if (this.scope.isOwn(file) || file.split(path.sep).includes('.git')) return false;
    return this.scope.roots().some(root => isBelow(file, root));
  }

  /** @param isNamed an agent named the file, or writes it through the editor */
  async isIgnored(file: string, isNamed: boolean): Promise<boolean> {
    return (await this.ignoredOf([file], () => isNamed)).has(file);
  }

  /**
   * Asks each repository once for all of its files. Without git, folders that as a rule hold what tools made
   * (`dist`, `node_modules`) count as ignored, but not files in them that an agent named.
   */
  async ignoredOf(
    files: readonly string[],
    isNamed: (file: string) => boolean = () => false,
  ): Promise<ReadonlySet<string>> {
    const ignored = new Set<string>();
    const perRepository = new Map<GitRepository, string[]>();
    for (const file of files) {
      const repository = (await this.git.of(file))?.repository;
      const relative = repository?.relative(file);
      if (repository && relative !== undefined) {
        perRepository.set(repository, [...(perRepository.get(repository) ?? []), relative]);
      } else if (isNamed(file) ? this.scope.isHidden(file) : this.scope.isExcluded(file)) {
        ignored.add(file);
      }
    }
    for (const [repository, relatives] of perRepository) {
      for (const name of await repository.ignored(relatives))
        ignored.add(repository.absolute(name));
    }
    return ignored;
  }
}
