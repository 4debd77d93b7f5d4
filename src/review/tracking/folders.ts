import { opendir } from 'node:fs/promises';
import * as path from 'node:path';
import type { DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { WorkspaceGit } from './workspaceGit';

export interface InnerFile {
  readonly path: string;
  /** When it came or went with its folder; its own times do not tell that. */
  readonly changedAt: number | undefined;
}

const MAX_INNER = 5_000;

/** One event for a folder stands for all in it: the files that came or went with it. */
export async function expandFolder(
  file: string,
  found: DiskFile,
  git: WorkspaceGit,
  known: KnownFiles,
): Promise<readonly InnerFile[]> {
  if (found.kind === 'folder') {
    const paths: string[] = [];
    await list(file, paths);
    return paths.map(inner => ({ path: inner, changedAt: found.changedAt }));
  }
  if (found.kind !== 'absent') return [];
  const inner = new Set(known.below(file, path.sep));
  const watched = await git.of(file);
  const relative = watched?.repository.relative(file);
  if (watched?.head !== undefined && relative !== undefined) {
    for (const name of await watched.repository.filesBelow(watched.head, relative)) {
      inner.add(watched.repository.absolute(name));
    }
  }
  return [...inner]
    .slice(0, MAX_INNER)
    .map(inside => ({ path: inside, changedAt: found.changedAt }));
}

async function list(folder: string, into: string[]): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      if (into.length >= MAX_INNER || entry.name === '.git') continue;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) await list(file, into);
      else if (entry.isFile()) into.push(file);
    }
  } catch {
    // It went meanwhile; another event tells that.
  }
}
