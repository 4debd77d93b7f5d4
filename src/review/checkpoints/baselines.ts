import type { GitRepository } from '../../git/repository';
import type { FileContent } from '../model';
import { hashOf } from '../store/blobs';
import { committedFiles, type CommittedFile } from './committedFiles';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import { beforeDiffs, type SnippetDiff } from './reverseDiff';
import type { WorkspaceGit } from './workspaceGit';

/** A file as it was before an agent touched it. */
export interface Baseline {
  readonly content: FileContent;
  /** Its very bytes, where they are known: encoding and byte-order mark with them. */
  readonly bytes?: Uint8Array;
  readonly mode?: number;
}

/** HEAD of each repository when the turn began. */
export type Heads = ReadonlyMap<GitRepository, string | undefined>;

export interface BaselineHints {
  readonly diffs: readonly SnippetDiff[];
  /** What the file says now. */
  readonly current: FileContent;
  /** What git has of it; undefined where there is no git, or no commit yet. */
  readonly committed: CommittedFile | undefined;
}

export interface BaselineSources {
  readonly known: KnownFiles;
  readonly git: WorkspaceGit;
  readonly files: Pick<EditorFiles, 'decode'>;
  /** True when every file of `path`'s repository or folder that git cannot give back was looked at. */
  isComplete(path: string): Promise<boolean>;
}

/** Finds what a file was, from the cheapest source that is true. */
export class Baselines {
  constructor(private readonly sources: BaselineSources) {}

  /** What git has of those of `paths` that nothing better is known of, for `of`. */
  committed(paths: readonly string[], heads: Heads): Promise<ReadonlyMap<string, CommittedFile>> {
    const { known, git } = this.sources;
    const asked = paths.filter(path => {
      const entry = known.get(path);
      return !(entry?.kind === 'absent' || (entry?.kind === 'file' && entry.kept));
    });
    return committedFiles(asked, git, heads);
  }

  /** Undefined when nobody can say. */
  async of(path: string, hints: BaselineHints): Promise<Baseline | undefined> {
    return (
      (await this.fromKnown(path)) ??
      (await this.fromGit(path, hints)) ??
      fromDiffs(hints) ??
      (await this.fromAbsence(path, hints))
    );
  }

  /** What it last was on disk; undefined when its bytes are not kept. */
  async fromKnown(path: string): Promise<Baseline | undefined> {
    const { known, files } = this.sources;
    const entry = known.get(path);
    if (entry?.kind === 'absent') return { content: { kind: 'absent' } };
    if (entry?.kind !== 'file' || !entry.kept) return undefined;
    const bytes = await known.bytesOf(path);
    if (!bytes) return undefined;
    return { content: await files.decode(path, bytes), bytes, mode: entry.mode };
  }

  private async fromGit(path: string, { committed }: BaselineHints): Promise<Baseline | undefined> {
    const bytes = committed?.bytes;
    const entry = this.sources.known.get(path);
    // What is known to differ from git's version is not that.
    if (!bytes || (entry && !(entry.kind === 'file' && entry.hash === hashOf(bytes)))) {
      return undefined;
    }
    const mode =
      entry?.kind === 'file' ? entry.mode : committed.entry?.executable ? 0o755 : undefined;
    const content = await this.sources.files.decode(path, bytes);
    return { content, bytes, ...(mode !== undefined && { mode }) };
  }

  private async fromAbsence(
    path: string,
    { committed }: BaselineHints,
  ): Promise<Baseline | undefined> {
    const { known } = this.sources;
    // There in HEAD, but no file that can be given back: a link, or too large. A folder is no file.
    const kind = committed?.entry?.kind;
    if (committed?.failed || (kind !== undefined && kind !== 'folder')) return undefined;
    if (known.get(path) || !(await this.sources.isComplete(path))) return undefined;
    return { content: { kind: 'absent' } };
  }
}

function fromDiffs({ current, diffs }: BaselineHints): Baseline | undefined {
  const content = beforeDiffs(current, diffs);
  return content && { content };
}
