import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { Git } from './gitProcess';
import { GitRepository } from './repository';

/** Finds the repository of a path: that of the nearest folder with a `.git`, so also submodules. */
export class GitRepositories {
  private readonly found = new Map<string, Promise<GitRepository | undefined>>();
  private remembered = 0;
  /** What was found of folders, while it is remembered. */
  private folders: Map<string, Promise<GitRepository | undefined>> | undefined;

  /** @param enabled false while git must not be run, as in a workspace that is not trusted. */
  constructor(
    private readonly git: Git,
    private readonly enabled: () => boolean = () => true,
  ) {}

  /** @param file absolute, links resolved; need not exist. */
  async of(file: string): Promise<GitRepository | undefined> {
    return this.enabled() ? this.above(path.dirname(file)) : undefined;
  }

  /** Looks for the repository of each folder only once while `task` runs: thousands of files are in a few. */
  async remembering<T>(task: () => Promise<T>): Promise<T> {
    this.remembered++;
    this.folders ??= new Map();
    try {
      return await task();
    } finally {
      if (--this.remembered === 0) this.folders = undefined;
    }
  }

  private above(folder: string): Promise<GitRepository | undefined> {
    const known = this.folders?.get(folder);
    if (known) return known;
    const parent = path.dirname(folder);
    const found = exists(path.join(folder, '.git')).then(isThere => {
      if (isThere) return this.at(folder);
      return parent === folder ? undefined : this.above(parent);
    });
    this.folders?.set(folder, found);
    return found;
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
