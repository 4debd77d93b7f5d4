import type { GitRepository } from '../../git/repository';
import { readFiles, type TreeEntry } from '../../git/treeFiles';
import { MAX_TRACKED_BYTES } from './diskFile';
import type { WorkspaceGit } from './workspaceGit';

/** What the HEAD of its repository has at a path. */
export interface CommittedFile {
  /** Undefined: nothing. */
  readonly entry: TreeEntry | undefined;
  /** As a checkout would write it; undefined for what is no file or too large. */
  readonly bytes?: Uint8Array;
  /** Git did not answer. */
  readonly failed?: boolean;
}

type Heads = ReadonlyMap<GitRepository, string | undefined>;

/**
 * What git has at `paths`, a few runs of git for any number of them. Paths outside of repositories and before
 * their first commit are left out.
 * @param heads the commits to look in; where there is none, the one last seen
 */
export async function committedFiles(
  paths: readonly string[],
  git: WorkspaceGit,
  heads: Heads,
  withBytes = true,
): Promise<ReadonlyMap<string, CommittedFile>> {
  const perRepository = new Map<GitRepository, { head: string; paths: Map<string, string> }>();
  for (const path of paths) {
    const watched = await git.of(path);
    const relative = watched?.repository.relative(path);
    if (!watched || relative === undefined) continue;
    const { repository } = watched;
    const head = heads.has(repository) ? heads.get(repository) : watched.head;
    if (head === undefined) continue;
    const known = perRepository.get(repository) ?? { head, paths: new Map<string, string>() };
    known.paths.set(relative, path);
    perRepository.set(repository, known);
  }
  const found = new Map<string, CommittedFile>();
  for (const [repository, { head, paths: relatives }] of perRepository) {
    const entries = await repository.entriesAt(head, [...relatives.keys()]);
    if (!entries) {
      for (const path of relatives.values()) found.set(path, { entry: undefined, failed: true });
      continue;
    }
    const wanted = new Map([...entries].filter(([relative]) => relatives.has(relative)));
    const read = withBytes
      ? await readFiles(repository, wanted, MAX_TRACKED_BYTES)
      : new Map<string, Buffer>();
    for (const [relative, path] of relatives) {
      const bytes = read.get(relative);
      found.set(path, { entry: wanted.get(relative), ...(bytes && { bytes }) });
    }
  }
  return found;
}
