import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { GitRepository } from '../../git/repository';
import type { TrackedTurn } from './turnBook';
import type { WorkspaceGit } from './workspaceGit';

/** How long a git command may take to let go of the index before nobody waits for it any more. */
const MAX_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 25;

/** Resolves when no git command is changing the index: until then its files are half done. */
export async function indexSettled({ gitDir }: GitRepository): Promise<void> {
  const lock = path.join(gitDir, 'index.lock');
  for (let waited = 0; waited < MAX_WAIT_MS; waited += LOOK_AGAIN_MS) {
    if ((await timeOf(lock)) === undefined) return;
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/**
 * Those of the changes that git made: HEAD or the index moved since the turn (if there was one) began, and
 * the file is now as in HEAD. A checkout, stash, reset, pull or merge is the user's act; and what an agent
 * commits at once is kept by that.
 */
export async function ownedByGit(
  changes: readonly { readonly path: string; readonly turn?: TrackedTurn }[],
  git: WorkspaceGit,
): Promise<ReadonlySet<string>> {
  const suspects = new Map<GitRepository, Map<string, string>>();
  const moved = new Map<GitRepository, number>();
  for (const { path: file, turn } of changes) {
    const watched = await git.of(file);
    const relative = watched?.repository.relative(file);
    if (!watched || relative === undefined) continue;
    const { repository } = watched;
    const movedAt = moved.get(repository) ?? (await lastMove(repository));
    moved.set(repository, movedAt);
    if (turn && movedAt < turn.startedAt - LOOK_AGAIN_MS) continue;
    const files = suspects.get(repository) ?? new Map<string, string>();
    files.set(relative, file);
    suspects.set(repository, files);
  }
  const owned = new Set<string>();
  for (const [repository, files] of suspects) {
    const entries = await repository.status([...files.keys()]);
    if (!entries) continue;
    const differing = new Set(entries.map(entry => entry.path));
    for (const [relative, file] of files) if (!differing.has(relative)) owned.add(file);
  }
  return owned;
}

/** When HEAD or the index last moved: ms since the epoch. */
async function lastMove({ gitDir }: GitRepository): Promise<number> {
  const times = await Promise.all(
    ['index', 'HEAD', path.join('logs', 'HEAD')].map(name => timeOf(path.join(gitDir, name))),
  );
  return Math.max(...times.map(time => time ?? 0));
}

async function timeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.ctimeMs;
}
