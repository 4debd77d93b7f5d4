import type { Logger } from '../../base/logger';
import { isBelow } from '../../git/isBelow';
import type { GitRepository } from '../../git/repository';
import { sameContent } from '../core/lines';
import type { FileContent } from '../model';
import { Baselines, type Baseline } from './baselines';
import type { Blobs } from '../store/blobs';
import type { CommittedFile } from './committedFiles';
import { changedAt, inParts, lookAt, type DiskFile } from './diskFile';
import { committedBelow, expandFolders, type Looked } from './folders';
import { indexSettled, ownedByGit } from './gitMoves';
import { HiddenWrites } from './hiddenWrites';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import type { SnippetDiff } from './reverseDiff';
import type { TrackedFiles } from './trackedFiles';
import type { TrackedChanges } from './trackedChanges';
import { authorOf, type OpenTurn, type Origin, type TurnRegistry } from './turnRegistry';
import type { WorkspaceGit } from './workspaceGit';

export interface DiskChangesServices {
  readonly files: EditorFiles;
  readonly git: WorkspaceGit;
  readonly blobs: Blobs;
  readonly known: KnownFiles;
  readonly tracked: TrackedFiles;
  readonly turns: TurnRegistry;
  readonly changes: TrackedChanges;
  readonly logger: Logger;
  isComplete(file: string): Promise<boolean>;
  /** The user has saved the file, which is about to be dealt with. */
  isSaved(file: string): boolean;
}

export interface LookedAt {
  /** What is still to be looked at. */
  readonly rest: ReadonlySet<string>;
  /** What could not be looked at. */
  readonly failed: ReadonlySet<string>;
  /** What was seen of the others. */
  readonly seen: ReadonlyMap<string, DiskFile>;
}

/** Touches looked at in one go; other changes come in between. */
const MAX_FILES = 500;
/** Bytes read in one go. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Files read or written at the same time. */
const AT_ONCE = 8;
/** From so many unknown files on it pays to ask first which of them git ignores, and not to read those. */
const MANY = 50;

interface AgentFile extends Looked {
  readonly origin: Origin;
}

/** Looks at files that may have changed: whether they did, by whom, and what they were before. */
export class DiskChanges {
  private readonly baselines: Baselines;
  readonly hidden: HiddenWrites;

  constructor(private readonly services: DiskChangesServices) {
    this.baselines = new Baselines(services);
    this.hidden = new HiddenWrites(services.known, services.turns, services.files);
  }

  /**
   * Looks at the first of `touches`.
   * @param writer a turn whose agent writes them now
   */
  look(touches: ReadonlySet<string>, writer?: OpenTurn): Promise<LookedAt> {
    return this.services.git.remembering(() => this.lookAtSome(touches, writer));
  }

  private async lookAtSome(touches: ReadonlySet<string>, writer?: OpenTurn): Promise<LookedAt> {
    const rest = new Set(touches);
    const failed = new Set<string>();
    const { looked, counted, unsaved } = await this.read(rest);
    const { inner, replaced } = await expandFolders(looked, this.services);
    for (const path of inner) if (!touches.has(path)) rest.add(path);
    const givenUp: Looked[] = [];
    const agents: AgentFile[] = [];
    const users: Looked[] = [];
    const { known, turns, changes, tracked, git } = this.services;
    for (const { path, found } of unsaved) await this.hidden.look(path, found);
    for (const { path, found } of looked) {
      if (known.says(path, found)) {
        known.touched(path, found);
        if (await this.isGivenUp(path, found)) givenUp.push({ path, found });
        continue;
      }
      if (!this.isFile(path, found, replaced)) continue;
      const hidden = this.hidden.at(path, found);
      const origin: Origin | undefined = writer
        ? { turns: [writer], isClaimed: true }
        : (hidden ?? { origin: turns.originOf(path) }).origin;
      if (origin) agents.push({ path, found, origin });
      else users.push({ path, found });
    }
    for (const one of givenUp) await this.attempt(one, failed, () => this.userChanged(one));
    // What is known was not ignored when it came to be known: git need not be asked again.
    const ignored = await tracked.ignoredOf(
      [...agents, ...users]
        .map(({ path }) => path)
        .filter(path => !known.get(path) && !counted.has(path)),
      path => turns.isNamed(path),
    );
    const isCounted = ({ path }: Looked) => !ignored.has(path);
    const byGit = await ownedByGit(
      [...agents, ...users.filter(({ path }) => changes.currentOf(path))].filter(isCounted),
      { git, known, isWorking: turns.isWorking },
    );
    const made: AgentFile[] = [];
    for (const change of goneFirst(agents.filter(isCounted))) {
      const { path, origin } = change;
      if (!byGit.has(path)) made.push(change);
      else if (byGit.get(path) === 'user') {
        await this.attempt(change, failed, () => this.userChanged(change, true));
      } else {
        // A command's git, or the user's meanwhile.
        const isNamed = origin.turns[0].claimed.has(path);
        made.push({ ...change, origin: { ...origin, isClaimed: isNamed } });
      }
    }
    for (const folder of await this.agentsChanged(made, failed)) {
      for (const path of await committedBelow(folder, git)) {
        if (!touches.has(path)) rest.add(path);
      }
    }
    this.followMoves(users.filter(isCounted));
    for (const change of goneFirst(users.filter(isCounted))) {
      await this.attempt(change, failed, () => this.userChanged(change, byGit.has(change.path)));
    }
    const seen = new Map([...looked, ...unsaved].map(({ path, found }) => [path, found]));
    return { rest, failed, seen };
  }

  /** One file that fails, because its bytes cannot be kept say, does not take the others along. */
  private async attempt<T>(
    { path }: Looked,
    failed: Set<string>,
    task: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      this.services.logger.error(`What became of ${path} could not be found out`, error);
      failed.add(path);
      return undefined;
    }
  }

  /** The user, or a program of the user's, changed the file. @param byGit git made it what it is. */
  async userChanged({ path, found }: Looked, byGit = false): Promise<void> {
    const { changes, files, known } = this.services;
    const isFollowed = changes.currentOf(path) !== undefined;
    const isAsked = (isFollowed || changes.mayComeBack(path)) && files.unsaved(path) === undefined;
    // Before it is known: what cannot be read now is looked at again.
    const content = isAsked ? await this.contentOf(path, found) : undefined;
    await known.set(path, found);
    if (!content || files.unsaved(path) !== undefined) return;
    if (changes.takeUp(path, content) || !isFollowed) return;
    if (byGit) changes.settled(path, content);
    else changes.userChanged(path, content);
  }

  /** The disk is as it was, but the review has text that the user has not saved and has given up. */
  private async isGivenUp(path: string, found: DiskFile): Promise<boolean> {
    const { changes, files } = this.services;
    const reviewed = changes.currentOf(path);
    if (files.unsaved(path) !== undefined) return false;
    if (!reviewed) return changes.mayComeBack(path);
    return !sameContent(reviewed, await this.contentOf(path, found));
  }

  /** A file under review that went, and one that came and says the same: the user moved it. */
  private followMoves(users: readonly Looked[]): void {
    const { changes, known } = this.services;
    for (const { path: from, found } of users) {
      const before = known.get(from);
      if (found.kind !== 'absent' || before?.kind !== 'file' || before.size === 0) continue;
      if (!changes.currentOf(from)) continue;
      const came = users.filter(
        ({ path, found: now }) =>
          now.kind === 'file' &&
          now.hash === before.hash &&
          (changes.currentOf(path)?.kind ?? 'absent') === 'absent',
      );
      const [to] = came;
      if (to && came.length === 1) changes.renamed(from, to.path);
    }
  }

  /**
   * What a file is right before it is written.
   * @param found as it was looked at: what an agent writes to disk after that is a part of its change
   */
  async beforeWrite(path: string, found: DiskFile): Promise<Baseline> {
    const reviewed = this.services.changes.currentOf(path);
    if (reviewed) return { content: reviewed };
    const content = await this.contentOf(path, found);
    if (found.kind !== 'file') return { content };
    return { content, ...(found.bytes && { bytes: found.bytes }), mode: found.mode };
  }

  /** These places, and of folders the files that are or were in them. */
  async filesAt(places: readonly string[]): Promise<ReadonlySet<string>> {
    const looked: Looked[] = [];
    for (const path of places) looked.push({ path, found: await lookAt(path) });
    const { inner } = await expandFolders(looked, this.services);
    const reviewed = [...this.services.changes.paths()].filter(file =>
      places.some(place => isBelow(file, place)),
    );
    return new Set([...places, ...inner, ...reviewed]);
  }

  async contentOf(path: string, found: DiskFile): Promise<FileContent> {
    const { files, blobs } = this.services;
    const unsaved = files.unsaved(path);
    if (unsaved !== undefined) return { kind: 'text', text: unsaved };
    if (found.kind !== 'file') return { kind: 'absent' };
    if (!found.bytes) return { kind: 'binary', hash: found.hash, bytes: found.size };
    const content = await files.decode(path, found.bytes);
    if (content.kind === 'binary') await blobs.put(found.bytes, found.hash);
    return content;
  }

  /** Takes some of `rest` and looks at them; of those in `counted` git was asked whether it ignores them. */
  private async read(rest: Set<string>): Promise<{
    readonly looked: readonly Looked[];
    readonly counted: ReadonlySet<string>;
    /** Files with unsaved text, which stands above the disk. */
    readonly unsaved: readonly Looked[];
  }> {
    const { files, known, tracked } = this.services;
    const some = [...rest].slice(0, MAX_FILES);
    await this.waitForGit(some);
    const unknown = some.filter(path => !known.get(path));
    const skipped: ReadonlySet<string> =
      unknown.length < MANY
        ? new Set()
        : await tracked.ignoredOf(unknown, path => this.services.turns.isNamed(path));
    const looked: Looked[] = [];
    const unsaved: Looked[] = [];
    let bytes = 0;
    for (const paths of inParts(some, AT_ONCE)) {
      if (bytes > MAX_BYTES) break;
      for (const path of paths) rest.delete(path);
      const read = paths.filter(path => !skipped.has(path));
      for (const one of await Promise.all(
        read.map(async path => ({ path, found: await lookAt(path) })),
      )) {
        if (one.found.kind === 'file') bytes += one.found.bytes?.length ?? 0;
        // When it is saved or given up there is another event.
        if (files.unsaved(one.path) !== undefined || files.isSaving(one.path)) unsaved.push(one);
        // It may have been saved while it was read.
        else if (!this.services.isSaved(one.path)) looked.push(one);
      }
    }
    return { looked, unsaved, counted: new Set(unknown.length < MANY ? [] : unknown) };
  }

  private async agentsChanged(
    made: readonly AgentFile[],
    failed: Set<string>,
  ): Promise<readonly string[]> {
    const perTurn = new Map<OpenTurn, AgentFile[]>();
    for (const change of made) {
      const [turn] = change.origin.turns;
      perTurn.set(turn, [...(perTurn.get(turn) ?? []), change]);
    }
    const folders: string[] = [];
    for (const [turn, files] of perTurn) {
      const { changes } = this.services;
      const asked = files
        .map(({ path }) => path)
        .filter(path => changes.currentOf(path) === undefined);
      const committed = await this.baselines.committed(asked, turn.heads);
      for (const { path } of files) {
        if (committed.get(path)?.entry?.kind === 'folder') folders.push(path);
      }
      for (const some of inParts(files, AT_ONCE)) {
        await this.agentChanged(some, committed, failed);
      }
    }
    return folders;
  }

  /** Reads of several files go on at the same time, and so do writes; what is found is recorded one by one. */
  private async agentChanged(
    some: readonly AgentFile[],
    committed: ReadonlyMap<string, CommittedFile>,
    failed: Set<string>,
  ): Promise<void> {
    const { changes, known, files } = this.services;
    const sides = await Promise.all(
      some.map(file =>
        this.attempt(file, failed, async () => ({
          ...(await this.sidesOf(file, committed.get(file.path))),
          ...file,
        })),
      ),
    );
    await Promise.all(
      sides
        .filter(file => file !== undefined)
        .flatMap(({ path, found, origin, before, content }) => [
          known.set(path, asFile(found)),
          this.attempt({ path, found }, failed, async () => {
            if (before && sameContent(before.content, content)) return;
            await changes.agentChanged(path, before, content, authorOf(origin));
            if (files.hasUnsavedCells(path)) this.hidden.beneathCells(path);
          }),
        ]),
    );
  }

  private async sidesOf(
    { path, found, origin }: AgentFile,
    committed: CommittedFile | undefined,
  ): Promise<{ readonly before: Baseline | undefined; readonly content: FileContent }> {
    const content = await this.contentOf(path, found);
    const { changes, files } = this.services;
    let reviewed = changes.currentOf(path);
    if (reviewed && files.unsaved(path) === undefined) {
      const was = await this.baselines.fromKnown(path);
      if (was && !sameContent(reviewed, was.content)) {
        // Unsaved text was given up for what the agent wrote.
        changes.userChanged(path, was.content);
        reviewed = was.content;
      }
    }
    if (reviewed) return { before: { content: reviewed }, content };
    const diffs: readonly SnippetDiff[] = origin.turns.flatMap(turn => turn.diffs.get(path) ?? []);
    return {
      before: await this.baselines.of(path, { diffs, current: content, committed }),
      content,
    };
  }

  /** Folders and links count where a file was: as its end. What may not be read stays what it was. */
  private isFile(path: string, { kind }: DiskFile, replaced: ReadonlySet<string>): boolean {
    if (kind === 'file' || kind === 'absent') return true;
    if (kind === 'other') return false;
    const reviewed = this.services.changes.currentOf(path);
    if (reviewed) return reviewed.kind !== 'absent';
    const known = this.services.known.get(path);
    return known ? known.kind === 'file' : replaced.has(path);
  }

  private async waitForGit(paths: readonly string[]): Promise<void> {
    const seen = new Set<GitRepository>();
    for (const path of paths) {
      const watched = await this.services.git.of(path);
      if (!watched || seen.has(watched.repository)) continue;
      seen.add(watched.repository);
      await indexSettled(watched.repository);
      await this.services.git.refresh(watched);
    }
  }
}

/** A moved file goes before what was there comes back: as a whole, that is. */
function goneFirst<T extends Looked>(changes: readonly T[]): readonly T[] {
  const isGone = ({ found }: Looked) => found.kind !== 'file';
  return [...changes.filter(isGone), ...changes.filter(change => !isGone(change))];
}

/** What stands where a file was, as the file's state. */
function asFile(found: DiskFile): DiskFile {
  return found.kind === 'file' ? found : { kind: 'absent', changedAt: changedAt(found) };
}
