import type { GitRepository } from '../../git/repository';
import type { FileContent } from '../model';
import type { Blobs } from './blobs';
import { MAX_TRACKED_BYTES } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import { beforeDiffs, type ToldDiff } from './reverseDiff';
import type { WorkspaceGit } from './workspaceGit';

/** A file as it was before an agent touched it. */
export interface Baseline {
  readonly content: FileContent;
  /** Its very bytes, where they are known: encoding and byte-order mark with them. */
  readonly bytes?: Uint8Array;
  readonly mode?: number;
}

export interface BaselineHints {
  /** HEAD of each repository when the turn began. */
  readonly heads: ReadonlyMap<GitRepository, string | undefined>;
  readonly diffs: readonly ToldDiff[];
  /** What the file says now. */
  readonly current: FileContent;
}

export interface BaselineSources {
  readonly known: KnownFiles;
  readonly git: WorkspaceGit;
  readonly blobs: Blobs;
  readonly files: Pick<EditorFiles, 'decode'>;
  /** True when every file of `path`'s repository or folder that git cannot give back was looked at. */
  isComplete(path: string): Promise<boolean>;
}

/** Finds what a file was, from the cheapest source that is true. */
export class Baselines {
  constructor(private readonly sources: BaselineSources) {}

  /** Undefined when nobody can say. */
  async of(path: string, hints: BaselineHints): Promise<Baseline | undefined> {
    return (
      (await this.fromKnown(path)) ??
      (await this.fromGit(path, hints)) ??
      fromDiffs(hints) ??
      (await this.fromAbsence(path))
    );
  }

  private async fromKnown(path: string): Promise<Baseline | undefined> {
    const { known, blobs, files } = this.sources;
    const entry = known.get(path);
    if (entry?.kind === 'absent') return { content: { kind: 'absent' } };
    if (entry?.kind !== 'file' || !entry.kept) return undefined;
    const bytes = await blobs.get(entry.hash);
    if (!bytes) return undefined;
    return { content: await files.decode(path, bytes), bytes, mode: entry.mode };
  }

  private async fromGit(path: string, hints: BaselineHints): Promise<Baseline | undefined> {
    // What is known to differ from git's version is not that.
    if (this.sources.known.get(path)) return undefined;
    const watched = await this.sources.git.of(path);
    const relative = watched?.repository.relative(path);
    if (!watched || relative === undefined) return undefined;
    const { repository } = watched;
    const head = hints.heads.has(repository) ? hints.heads.get(repository) : watched.head;
    if (head === undefined || (await repository.kindAt(head, relative)) !== 'file') {
      return undefined;
    }
    const bytes = await repository.blob(head, relative, MAX_TRACKED_BYTES);
    return bytes && { content: await this.sources.files.decode(path, bytes), bytes };
  }

  private async fromAbsence(path: string): Promise<Baseline | undefined> {
    const { known, git } = this.sources;
    if (known.get(path) || !(await this.sources.isComplete(path))) return undefined;
    const watched = await git.of(path);
    const relative = watched?.repository.relative(path);
    if (watched?.head !== undefined && relative !== undefined) {
      // There in HEAD, but no file that can be given back: a link, or too large.
      const kind = await watched.repository.kindAt(watched.head, relative);
      if (kind !== 'absent') return undefined;
    }
    return { content: { kind: 'absent' } };
  }
}

function fromDiffs({ current, diffs }: BaselineHints): Baseline | undefined {
  const content = beforeDiffs(current, diffs);
  return content && { content };
}
