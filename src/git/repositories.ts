import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { Git } from './gitProcess';
import { GitRepository } from './repository';

/** Finds the repository of a path: that of the nearest folder with a `.git`, so also submodules. */
export class GitRepositories {
  private readonly found = new Map<string, Promise<GitRepository | undefined>>();

  /** @param enabled false while git must not be run, as in a workspace that is not trusted. */
  constructor(
    private readonly git: Git,
    private readonly enabled: () => boolean = () => true,
  ) {}

  /** @param file absolute, links resolved; need not exist. */
  async of(file: string): Promise<GitRepository | undefined> {
    if (!this.enabled()) return undefined;
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      if (await exists(path.join(folder, '.git'))) return this.at(folder);
      if (path.dirname(folder) === folder) return undefined;
    }
  }

  /** The repository that a folder is in or is the root of. */
  containing(folder: string): Promise<GitRepository | undefined> {
    return this.of(path.join(folder, '.'.repeat(3)));
  }

  private at(folder: string): Promise<GitRepository | undefined> {
    const known = this.found.get(folder);
    if (known) return known;
    const made = GitRepository.containing(folder, this.git).then(repository => {
      // A broken repository may be mended, and git be installed: what was not found is asked for again.
      if (!repository) this.found.delete(folder);
      return repository;
    });
    this.found.set(folder, made);
    return made;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
