import { stat } from 'node:fs/promises';
import { Emitter } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import { HeadWatch } from '../../git/headWatch';
import type { GitRepositories } from '../../git/repositories';
import type { GitRepository } from '../../git/repository';

/** A repository that files under review are in. */
export interface WatchedRepository {
  readonly repository: GitRepository;
  /** The commit of HEAD when last asked; undefined before the first commit. */
  head: string | undefined;
  /** Where HEAD was when a move was last told. */
  told: string | undefined;
  /** Commits of stashes, the latest first, also of those that were popped meanwhile. */
  stashes: readonly string[];
  /** When HEAD or the index last moved: ms since the epoch; 0: not since it is watched. */
  movedAt: number;
}

export interface HeadMove {
  readonly watched: WatchedRepository;
  readonly before: string | undefined;
}

/** Stashes remembered of a repository. */
const MAX_STASHES = 20;

/** The repositories of the workspace, and where their HEAD is. */
export class WorkspaceGit implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly watched = new Map<GitRepository, Promise<WatchedRepository>>();
  private readonly startedAt: number;
  private readonly moved = new Emitter<HeadMove>();
  /** HEAD or the index of a repository has moved; `before` is where HEAD was. */
  readonly onDidMove = this.moved.event;

  constructor(
    private readonly repositories: GitRepositories,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
    this.disposables.add(this.moved);
  }

  async of(file: string): Promise<WatchedRepository | undefined> {
    return this.watch(await this.repositories.of(file));
  }

  /** Looks for the repository of each folder only once while `task` runs. */
  remembering<T>(task: () => Promise<T>): Promise<T> {
    return this.repositories.remembering(task);
  }

  async containing(folder: string): Promise<WatchedRepository | undefined> {
    return this.watch(await this.repositories.containing(folder));
  }

  /** Where HEAD was when last asked, by the root of each repository seen so far. */
  async lastHeads(): Promise<ReadonlyMap<string, string>> {
    const all = await Promise.all(this.watched.values());
    return new Map(
      all.flatMap(({ repository, head }) => (head === undefined ? [] : [[repository.root, head]])),
    );
  }

  /** Where HEAD is now in each repository seen so far. */
  async heads(): Promise<ReadonlyMap<GitRepository, string | undefined>> {
    const all = await Promise.all(this.watched.values());
    return new Map(
      await Promise.all(
        all.map(async watched => {
          watched.head = await watched.repository.head();
          await seeStashes(watched);
          return [watched.repository, watched.head] as const;
        }),
      ),
    );
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async watch(
    repository: GitRepository | undefined,
  ): Promise<WatchedRepository | undefined> {
    if (!repository) return undefined;
    const known = this.watched.get(repository);
    if (known) return known;
    const made = (async () => {
      const head = new HeadWatch(repository);
      this.disposables.add(head);
      const now = await repository.head();
      const watched = { repository, head: now, told: now, stashes: [], movedAt: 0 };
      await seeStashes(watched);
      this.disposables.add(head.onDidMove(() => void this.onMove(watched)));
      // Made, and committed to, before it could be watched.
      if (now !== undefined && (await bornOf(repository)) >= this.startedAt) {
        this.moved.fire({ watched, before: undefined });
      }
      return watched;
    })();
    this.watched.set(repository, made);
    return made;
  }

  private async onMove(watched: WatchedRepository): Promise<void> {
    watched.movedAt = this.now();
    await seeStashes(watched);
    const head = await watched.repository.head();
    const before = watched.told;
    watched.head = head;
    watched.told = head;
    this.moved.fire({ watched, before });
  }
}

/** When a repository was made: ms since the epoch; 0 when nobody can tell. */
async function bornOf({ gitDir }: GitRepository): Promise<number> {
  return stat(gitDir).then(
    ({ birthtimeMs }) => birthtimeMs,
    () => 0,
  );
}

/** One that is popped is not listed any more, but files are what it had. */
async function seeStashes(watched: WatchedRepository): Promise<void> {
  const listed = await watched.repository.stashes();
  watched.stashes = [...new Set([...listed, ...watched.stashes])].slice(0, MAX_STASHES);
}
