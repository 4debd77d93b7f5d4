import type { GitRepository } from '../../git/repository';
import { committedFiles } from './committedFiles';
import type { EditorFiles } from './ports';
import type { TrackedChanges } from './trackedChanges';
import type { HeadMove, WorkspaceGit } from './workspaceGit';

export interface CommitsParts {
  readonly git: WorkspaceGit;
  readonly files: Pick<EditorFiles, 'decode'>;
  readonly changes: TrackedChanges;
}

/** What the user commits is kept by that; what an agent commits is not. Call it when nothing else is found out. */
export class Commits {
  constructor(private readonly parts: CommitsParts) {}

  /** While no window was open. @param heads where HEAD was, by the root of each repository */
  async since(heads: ReadonlyMap<string, string>): Promise<void> {
    const moved = new Map<GitRepository, { readonly head: string; readonly before: string }>();
    for (const file of this.parts.changes.paths()) {
      const watched = await this.parts.git.of(file);
      if (watched?.head === undefined) continue;
      const before = heads.get(watched.repository.root);
      if (before !== undefined && before !== watched.head) {
        moved.set(watched.repository, { head: watched.head, before });
      }
    }
    for (const [repository, { head, before }] of moved) {
      await this.keepCommitted(repository, head, before);
    }
  }

  async moved({ watched: { repository }, before, after }: HeadMove): Promise<void> {
    // The index alone moved: nothing was committed.
    if (after !== undefined && after !== before)
      await this.keepCommitted(repository, after, before);
  }

  /** @param before where HEAD was: what is as it was there, the commit says nothing about */
  private async keepCommitted(
    repository: GitRepository,
    head: string,
    before: string | undefined,
  ): Promise<void> {
    const paths = [...this.parts.changes.paths()].filter(
      file => repository.relative(file) !== undefined,
    );
    const { git, files } = this.parts;
    const old = await committedFiles(paths, git, new Map([[repository, before]]), false);
    const committed = await committedFiles(paths, git, new Map([[repository, head]]));
    await this.parts.changes.headMoved(async file => {
      const found = committed.get(file);
      if (!found || found.failed) return undefined;
      const was = old.get(file);
      if (was && !was.failed && was.entry?.object === found.entry?.object) return undefined;
      if (!found.entry) return { kind: 'absent' };
      return found.bytes && files.decode(file, found.bytes);
    });
  }
}
