import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { GitRepository } from '../../git/repository';
import { readFiles } from '../../git/treeFiles';
import { hashOf } from '../store/blobs';
import { MAX_TRACKED_BYTES } from './diskFile';
import type { Looked } from './folders';
import type { KnownFiles } from './knownFiles';
import type { Origin } from './turnRegistry';
import type { WatchedRepository, WorkspaceGit } from './workspaceGit';

/** How long a git command may take to let go of the index before nobody waits for it any more. */
const MAX_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 25;
/** Stashes that a file is looked for in, the latest first. */
const MAX_STASHES = 5;

/** Resolves when no git command is changing the index: until then its files are half done. */
export async function indexSettled({ gitDir }: GitRepository): Promise<void> {
  const lock = path.join(gitDir, 'index.lock');
  for (let waited = 0; waited < MAX_WAIT_MS; waited += LOOK_AGAIN_MS) {
    const isLocked = await stat(lock).then(
      () => true,
      () => false,
    );
    if (!isLocked) return;
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

export interface GitMoveSources {
  readonly git: WorkspaceGit;
  readonly known: Pick<KnownFiles, 'get'>;
  /** A command of an agent runs: a move of HEAD may be its. */
  readonly isWorking: boolean;
}

export interface SuspectChange extends Looked {
  /** The turns that it may be of; without any, it is the user's in any case. */
  readonly origin?: Origin;
}

/** Whose the git was: the user's, or while a command of an agent runs, perhaps its. */
export type GitOwner = 'user' | 'either';

/**
 * Those of the changes that git made. The file is as in HEAD, and a move of HEAD changed it there or the index
 * knows the very file that stands there; or a stash has it as it is.
 */
export async function ownedByGit(
  changes: readonly SuspectChange[],
  sources: GitMoveSources,
): Promise<ReadonlyMap<string, GitOwner>> {
  const perRepository = new Map<WatchedRepository, Map<string, SuspectChange>>();
  for (const change of changes) {
    const watched = await sources.git.of(change.path);
    const relative = watched?.repository.relative(change.path);
    if (!watched || relative === undefined) continue;
    const files = perRepository.get(watched) ?? new Map<string, SuspectChange>();
    perRepository.set(watched, files.set(relative, change));
  }
  const owned = new Map<string, GitOwner>();
  for (const [watched, files] of perRepository) {
    const entries = await watched.repository.status([...files.keys()]);
    if (!entries) continue;
    const differing = new Set(entries.map(entry => entry.path));
    const others = new Map<string, SuspectChange>();
    const gone = new Map<string, SuspectChange>();
    const same = new Map<string, SuspectChange>();
    for (const [name, change] of files) {
      if (!change.origin) {
        if (!differing.has(name)) owned.set(change.path, 'user');
      } else if (differing.has(name)) others.set(name, change);
      else (change.found.kind === 'file' ? same : gone).set(name, change);
    }
    const moved = await movedByHead(watched, new Map([...same, ...gone]), sources);
    const rest = [...same.keys()].filter(name => !moved.has(name));
    const found = [
      ...moved.keys(),
      ...(await watched.repository.freshInIndex(rest)),
      ...(await takenByStash(watched, gone, sources)),
      ...(await stashed(watched, others)),
    ];
    for (const name of found) {
      const change = files.get(name);
      const owner = moved.get(name) ?? (sources.isWorking ? 'either' : 'user');
      if (change) owned.set(change.path, owner);
    }
  }
  return owned;
}

/** Those of the files, which are as in HEAD, that a move of HEAD since their turns began made so. */
async function movedByHead(
  { repository, moves }: WatchedRepository,
  files: ReadonlyMap<string, SuspectChange>,
  { isWorking }: GitMoveSources,
): Promise<ReadonlyMap<string, GitOwner>> {
  const found = new Map<string, GitOwner>();
  for (const { before, after, byAgent, step } of moves) {
    const names = [...files].flatMap(([name, change]) => (stepOf(change) < step ? [name] : []));
    if (names.length === 0 || before === undefined || (byAgent && !isWorking)) continue;
    const old = await repository.entriesAt(before, names);
    const now = await repository.entriesAt(after, names);
    if (!old || !now) continue;
    for (const name of names) {
      if (old.get(name)?.object !== now.get(name)?.object)
        found.set(name, byAgent ? 'either' : 'user');
    }
  }
  return found;
}

/** Where git stood when the first of the turns began that the change may be of. */
function stepOf({ origin }: SuspectChange): number {
  return Math.min(...(origin?.turns ?? []).map(({ gitStep }) => gitStep));
}

/** Those of the files, which HEAD does not have, that a stash has as they were. */
async function takenByStash(
  { repository }: WatchedRepository,
  files: ReadonlyMap<string, SuspectChange>,
  { known }: GitMoveSources,
): Promise<readonly string[]> {
  const owned = new Set<string>();
  if (files.size === 0) return [];
  // Not those that were popped: they have given everything back.
  for (const stash of (await repository.stashes()).slice(0, MAX_STASHES)) {
    for (const commit of [stash, `${stash}^3`]) {
      const rest = [...files.keys()].filter(name => !owned.has(name));
      const entries = rest.length > 0 ? await repository.entriesAt(commit, rest) : undefined;
      if (!entries || entries.size === 0) continue;
      for (const [name, bytes] of await readFiles(repository, entries, MAX_TRACKED_BYTES)) {
        const before = known.get(files.get(name)?.path ?? '');
        if (before?.kind === 'file' && before.hash === hashOf(bytes)) owned.add(name);
      }
    }
  }
  return [...owned];
}

/** Those of the files that a stash has just as they are now, if it was there when their turns began, or was made since. */
async function stashed(
  { repository, stashes }: WatchedRepository,
  files: ReadonlyMap<string, SuspectChange>,
): Promise<readonly string[]> {
  if (files.size === 0 || stashes.length === 0) return [];
  const there = [...files].flatMap(([name, { found }]) => (found.kind === 'file' ? [name] : []));
  const objects = await repository.objectsOf(there);
  const owned = new Set<string>();
  for (const { commit, step } of stashes.slice(0, MAX_STASHES)) {
    const names = [...files].flatMap(([name, change]) => (stepOf(change) <= step ? [name] : []));
    if (names.length === 0) continue;
    // Its first parent is the commit it was made on, its third has the files that were untracked.
    const [tracked, base, untracked] = await Promise.all(
      [commit, `${commit}^1`, `${commit}^3`].map(each => repository.entriesAt(each, names)),
    );
    for (const name of names) {
      const object = objects.get(name);
      const isGone = object === undefined && !tracked?.has(name) && base?.has(name) === true;
      const inStash = tracked?.get(name)?.object ?? untracked?.get(name)?.object;
      if (isGone || (object !== undefined && object === inStash)) owned.add(name);
    }
  }
  return [...owned];
}
