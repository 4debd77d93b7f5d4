import { opendir } from 'node:fs/promises';
import * as path from 'node:path';
import type { StatusEntry } from '../../git/porcelain';
import type { GitRepository } from '../../git/repository';
import type { WatchedRepository } from './workspaceGit';
import { lookAt, type DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { TrackedScope } from './ports';

const MAX_LISTED = 50_000;
/** Reads at a time: the scan runs beside everything else. */
const PARALLEL = 8;

/**
 * Remembers the files of a repository that are not as in HEAD, so that git need not give them back.
 * @param isOfTurn true for what changed so late that an agent may have done it.
 * @returns folders of repositories in it that it does not track; undefined when git did not answer
 */
export async function scanRepository(
  { repository }: WatchedRepository,
  known: KnownFiles,
  isOfTurn: (found: DiskFile) => boolean,
): Promise<readonly string[] | undefined> {
  const entries = await repository.status();
  if (!entries) return undefined;
  const { paths, nested } = foundIn(repository, entries);
  for (const rest of paths.slice(MAX_LISTED)) known.setUnread(rest);
  await remember(paths.slice(0, MAX_LISTED), known, isOfTurn);
  return nested;
}

/** The files that `entries` name, and the folders of repositories in it that it does not track. */
export function foundIn(
  repository: GitRepository,
  entries: readonly StatusEntry[],
): { readonly paths: readonly string[]; readonly nested: readonly string[] } {
  const own = entries.filter(({ submodule }) => !submodule);
  // Untracked files are listed singly; only a repository is listed as a folder.
  const isNested = ({ path: name }: StatusEntry) => name.endsWith('/');
  return {
    paths: own.filter(entry => !isNested(entry)).map(entry => repository.absolute(entry.path)),
    nested: own.filter(isNested).map(entry => repository.absolute(entry.path.slice(0, -1))),
  };
}

/**
 * Remembers the files below a folder without git.
 * @returns false when there are too many of them.
 */
export async function scanFolder(
  root: string,
  scope: Pick<TrackedScope, 'isExcluded'>,
  known: KnownFiles,
  isOfTurn: (found: DiskFile) => boolean,
): Promise<boolean> {
  const { paths, isWhole } = await listFolder(root, scope);
  await remember(paths, known, isOfTurn);
  return isWhole;
}

/** The files below a folder, as far as they count; `isWhole` is false when there are too many to list. */
export async function listFolder(
  root: string,
  scope: Pick<TrackedScope, 'isExcluded'>,
): Promise<{ readonly paths: readonly string[]; readonly isWhole: boolean }> {
  const paths: string[] = [];
  const folders = [root];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    try {
      for await (const entry of await opendir(folder)) {
        const file = path.join(folder, entry.name);
        if (scope.isExcluded(file)) continue;
        if (entry.isDirectory()) folders.push(file);
        else if (entry.isFile() || entry.isSymbolicLink()) paths.push(file);
        if (paths.length > MAX_LISTED) return { paths, isWhole: false };
      }
    } catch {
      // A folder that went meanwhile, or may not be read, has nothing to list.
    }
  }
  return { paths, isWhole: true };
}

async function remember(
  paths: readonly string[],
  known: KnownFiles,
  isOfTurn: (found: DiskFile) => boolean,
): Promise<void> {
  let next = 0;
  const work = async () => {
    for (;;) {
      const file = paths[next++];
      if (file === undefined) return;
      const found = await lookAt(file);
      if (known.get(file)) continue;
      // It may have said anything before; and a link is nothing that could be given back.
      if (isOfTurn(found) || found.kind === 'link') known.setUnread(file);
      else await known.set(file, found);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}
