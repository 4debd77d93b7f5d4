import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { GitRepository } from '../../git/repository';
import { readFiles } from '../../git/treeFiles';
import { hashOf } from '../store/blobs';
import { MAX_TRACKED_BYTES, type DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { PutAside } from './putAside';
import type { TrackedTurn } from './turnBook';
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
    if ((await timeOf(lock)) === undefined) return;
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

export interface GitMoveSources {
  readonly git: WorkspaceGit;
  readonly putAside: PutAside;
  readonly known: Pick<KnownFiles, 'get'>;
}

export interface SuspectChange {
  readonly path: string;
  readonly found: DiskFile;
  /** The turn that it may be of. */
  readonly turn?: TrackedTurn;
  /** When the file changed: ms since the epoch. */
  readonly at?: number;
}

/**
 * Those of the changes that git made: HEAD or the index moved after the change (which git writes last), and
 * the file is now as in HEAD, or as a stash has it. A checkout, stash, reset, pull or merge is the user's act;
 * and what an agent commits at once is kept by that.
 */
export async function ownedByGit(
  changes: readonly SuspectChange[],
  sources: GitMoveSources,
): Promise<ReadonlySet<string>> {
  const { git, putAside } = sources;
  const suspects = new Map<WatchedRepository, Map<string, SuspectChange>>();
  const moved = new Map<GitRepository, number>();
  for (const change of changes) {
    const watched = await git.of(change.path);
    const relative = watched?.repository.relative(change.path);
    if (!watched || relative === undefined) continue;
    const { repository } = watched;
    const movedAt = moved.get(repository) ?? (await lastMove(repository));
    moved.set(repository, movedAt);
    if (change.turn && movedAt < earliest(change.turn, change) - LOOK_AGAIN_MS) continue;
    const files = suspects.get(watched) ?? new Map<string, SuspectChange>();
    files.set(relative, change);
    suspects.set(watched, files);
  }
  const owned = new Set<string>();
  for (const [watched, files] of suspects) {
    const entries = await watched.repository.status([...files.keys()]);
    if (!entries) continue;
    const differing = new Set(entries.map(entry => entry.path));
    const others = new Map<string, SuspectChange>();
    const gone = new Map<string, SuspectChange>();
    for (const [relative, change] of files) {
      const isAsInHead = !differing.has(relative);
      if (isBack(change, putAside)) owned.add(change.path);
      else if (isAsInHead && change.turn && change.found.kind !== 'file')
        gone.set(relative, change);
      else if (isAsInHead) owned.add(change.path);
      else if (change.turn) others.set(relative, change);
    }
    for (const file of await takenAway(watched, gone, sources)) owned.add(file);
    for (const file of await stashed(watched, others)) owned.add(file);
  }
  return owned;
}

/** When the index must have moved at the earliest; what is gone does not tell when it went. */
function earliest({ startedAt }: TrackedTurn, { found, at }: SuspectChange): number {
  return found.kind === 'file' ? Math.max(startedAt, at ?? 0) : startedAt;
}

function isBack({ path: file, found, turn }: SuspectChange, putAside: PutAside): boolean {
  return turn !== undefined && putAside.isBack(file, found);
}

/**
 * Those of the files, which HEAD does not have, that git had and took away: with another commit, or with a stash.
 * That HEAD does not have them says nothing else: an agent may have deleted what was never committed.
 */
async function takenAway(
  { repository }: WatchedRepository,
  files: ReadonlyMap<string, SuspectChange>,
  { known }: GitMoveSources,
): Promise<readonly string[]> {
  if (files.size === 0) return [];
  const names = [...files.keys()];
  const owned = new Set<string>();
  const heads = new Set<string>(['HEAD@{1}']);
  for (const { turn } of files.values()) {
    const head = turn?.heads.get(repository);
    if (head !== undefined) heads.add(head);
  }
  for (const head of heads) {
    const entries = await repository.entriesAt(head, names);
    for (const name of names) if (entries?.has(name)) owned.add(name);
  }
  // Not those that were popped: they have given everything back.
  for (const stash of (await repository.stashes()).slice(0, MAX_STASHES)) {
    for (const commit of [stash, `${stash}^3`]) {
      const rest = names.filter(name => !owned.has(name));
      const entries = rest.length > 0 ? await repository.entriesAt(commit, rest) : undefined;
      if (!entries || entries.size === 0) continue;
      for (const [name, bytes] of await readFiles(repository, entries, MAX_TRACKED_BYTES)) {
        const before = known.get(files.get(name)?.path ?? '');
        if (before?.kind === 'file' && before.hash === hashOf(bytes)) owned.add(name);
      }
    }
  }
  return [...owned].flatMap(name => files.get(name)?.path ?? []);
}

/** Those of the files that a stash has just as they are now. */
async function stashed(
  { repository, stashes }: WatchedRepository,
  files: ReadonlyMap<string, SuspectChange>,
): Promise<readonly string[]> {
  if (files.size === 0 || stashes.length === 0) return [];
  const names = [...files.keys()];
  const there = names.filter(name => files.get(name)?.found.kind === 'file');
  const objects = await repository.objectsOf(there);
  const owned = new Set<string>();
  for (const stash of stashes.slice(0, MAX_STASHES)) {
    // Its first parent is the commit it was made on, its third has the files that were untracked.
    const [tracked, base, untracked] = await Promise.all(
      [stash, `${stash}^1`, `${stash}^3`].map(commit => repository.entriesAt(commit, names)),
    );
    for (const [name, { path: file }] of files) {
      const object = objects.get(name);
      const isGone = object === undefined && !tracked?.has(name) && base?.has(name) === true;
      const inStash = tracked?.get(name)?.object ?? untracked?.get(name)?.object;
      if (isGone || (object !== undefined && object === inStash)) owned.add(file);
    }
  }
  return [...owned];
}

/**
 * When git last moved something: ms since the epoch. The folder itself tells of locks; dropping a stash, which
 * ends a pop after its untracked files are back, takes nothing else there.
 */
async function lastMove({ gitDir }: GitRepository): Promise<number> {
  const times = await Promise.all(
    ['', 'index', 'HEAD', path.join('logs', 'HEAD')].map(name => timeOf(path.join(gitDir, name))),
  );
  return Math.max(...times.map(time => time ?? 0));
}

async function timeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.ctimeMs;
}
