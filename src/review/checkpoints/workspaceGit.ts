import * as path from 'node:path';
import { Emitter } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import { HeadWatch } from '../../git/headWatch';
import type { GitRepositories } from '../../git/repositories';
import type { GitRepository } from '../../git/repository';
import type { Heads } from './baselines';

/** From one commit to another; `before` is undefined before the first commit. */
export interface Move {
  readonly before: string | undefined;
  readonly after: string;
  readonly byAgent: boolean;
  /** The step at which it was seen. */
  readonly step: number;
}

export interface Stash {
  readonly commit: string;
  /** The step at which git listed it last: one that is popped is not listed any more. */
  readonly step: number;
}

/** A repository that files under review are in. */
export interface WatchedRepository {
  readonly repository: GitRepository;
  /** The commit of HEAD when last asked; undefined before the first commit. */
  head: string | undefined;
  /** What `headNow` said of HEAD when last asked. */
  mark: string;
  /** The latest first, also those that were popped: files are what they had. */
  stashes: readonly Stash[];
  moves: readonly Move[];
}

export interface HeadMove {
  readonly watched: WatchedRepository;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Stashes and moves remembered of a repository. */
const MAX_STASHES = 20;
const MAX_MOVES = 20;

/** Where git stood when a turn began: what it did before explains nothing of the turn. */
export interface GitStart {
  readonly heads: Heads;
  /** Stashes that were listed at this step are there to be popped; moves count after it. */
  readonly step: number;
}

/** The repositories of the workspace, and where their HEAD is. */
export class WorkspaceGit implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly watched = new Map<GitRepository, Promise<WatchedRepository>>();
  private readonly known: WatchedRepository[] = [];
  /** Folders that were in no repository when asked about. */
  private readonly plain = new Set<string>();
  /** Orders what git does and the turns that begin. */
  private step = 0;
  private readonly moved = new Emitter<HeadMove>();
  /** HEAD or the index of a repository has moved; `before` is where HEAD was. */
  readonly onDidMove = this.moved.event;

  constructor(private readonly repositories: GitRepositories) {
    this.disposables.add(this.moved);
  }

  async of(file: string): Promise<WatchedRepository | undefined> {
    const repository = await this.repositories.of(file);
    if (!repository) this.plain.add(path.dirname(file));
    return this.watch(repository);
  }

  /** Looks for the repository of each folder only once while `task` runs. */
  remembering<T>(task: () => Promise<T>): Promise<T> {
    return this.repositories.remembering(task);
  }

  async containing(folder: string): Promise<WatchedRepository | undefined> {
    const repository = await this.repositories.containing(folder);
    if (!repository) this.plain.add(folder);
    return this.watch(repository);
  }

  /** Where HEAD was when last asked, by the root of each repository seen so far. */
  async lastHeads(): Promise<ReadonlyMap<string, string>> {
    const all = await Promise.all(this.watched.values());
    return new Map(
      all.flatMap(({ repository, head }) => (head === undefined ? [] : [[repository.root, head]])),
    );
  }

  /** A turn begins now. */
  async begin(): Promise<GitStart> {
    this.step += 1;
    const { step } = this;
    const all = await this.refreshAll();
    // Moves from now on are after what was just found out.
    this.step += 1;
    return { heads: new Map(all.map(({ repository, head }) => [repository, head])), step };
  }

  /** Like `refresh` of each repository seen so far. */
  async refreshAll(): Promise<readonly WatchedRepository[]> {
    const all = await Promise.all(this.watched.values());
    await Promise.all(all.map(watched => this.refresh(watched)));
    return all;
  }

  /** Finds out whether HEAD has moved. Whoever listens hears of it before this resolves. */
  async refresh(watched: WatchedRepository): Promise<void> {
    await this.seeStashes(watched);
    const { mark, commit } = watched.repository.headNow();
    if (mark === watched.mark) return;
    this.noteHead(watched, mark, commit ?? (await watched.repository.head()));
  }

  /** Like `refresh` of all, at once. What only git itself knows is left to that. */
  refreshNow(): void {
    for (const watched of this.known) {
      const { mark, commit } = watched.repository.headNow();
      if (mark !== watched.mark && commit !== undefined) this.noteHead(watched, mark, commit);
    }
  }

  /** Remembers a move of HEAD, to explain by it what changes. */
  noteMove(watched: WatchedRepository, move: Omit<Move, 'step'>): void {
    watched.moves = [...watched.moves, { ...move, step: this.step }].slice(-MAX_MOVES);
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
      const changes = new HeadWatch(repository);
      this.disposables.add(changes);
      const { mark, commit } = repository.headNow();
      const head = commit ?? (await repository.head());
      const watched: WatchedRepository = { repository, head, mark, stashes: [], moves: [] };
      this.known.push(watched);
      await this.seeStashes(watched);
      this.disposables.add(changes.onDidMove(() => void this.onChange(watched)));
      // Made, and committed to, before it could be watched.
      if (head !== undefined && this.plain.has(repository.root)) {
        this.moved.fire({ watched, before: undefined, after: head });
      }
      return watched;
    })();
    this.watched.set(repository, made);
    return made;
  }

  private noteHead(watched: WatchedRepository, mark: string, after: string | undefined): void {
    const before = watched.head;
    watched.mark = mark;
    watched.head = after;
    if (after !== before) this.moved.fire({ watched, before, after });
  }

  private async onChange(watched: WatchedRepository): Promise<void> {
    const { head } = watched;
    await this.refresh(watched);
    // The index or a stash alone moved.
    if (watched.head === head) this.moved.fire({ watched, before: head, after: head });
  }

  private async seeStashes(watched: WatchedRepository): Promise<void> {
    const listed = await watched.repository.stashes();
    const popped = watched.stashes.filter(({ commit }) => !listed.includes(commit));
    const now = listed.map(commit => ({ commit, step: this.step }));
    watched.stashes = [...now, ...popped].slice(0, MAX_STASHES);
  }
}
