import * as vscode from 'vscode';
import type { Git } from '../../git/gitProcess';
import { latestCommits } from '../../git/workTree';
import type { ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';

const MAX_COMMITS = 200;
/** How long the commits that were read are taken for the latest, in ms. */
const FRESH_MS = 5_000;

/** What is not committed yet in the first folder; undefined while git may not be run. */
export function changesMention(attachments: ContextAttachments): Candidate | undefined {
  const folder = gitFolder();
  return (
    folder && {
      icon: 'diff',
      name: vscode.l10n.t('Changes'),
      hits: [],
      detail: vscode.l10n.t('uncommitted'),
      mention: '@changes',
      attachment: () =>
        attachments.of({
          kind: 'changes',
          label: vscode.l10n.t('Changes'),
          title: vscode.l10n.t('Uncommitted changes'),
          uri: folder.toString(),
        }),
    }
  );
}

/** The latest commits of the first folder. */
export class CommitMentions {
  private last: { readonly at: number; readonly found: Promise<readonly Candidate[]> } | undefined;

  constructor(private readonly git: Git) {}

  get(attachments: ContextAttachments): Promise<readonly Candidate[]> {
    const now = Date.now();
    if (!this.last || now - this.last.at > FRESH_MS) {
      this.last = { at: now, found: this.read(attachments) };
    }
    return this.last.found;
  }

  private async read(attachments: ContextAttachments): Promise<readonly Candidate[]> {
    const folder = gitFolder();
    if (!folder) return [];
    const commits = await latestCommits(this.git, folder.fsPath, MAX_COMMITS);
    return commits.map(({ sha, subject }) => ({
      icon: 'git-commit',
      name: subject,
      hits: [],
      detail: sha,
      mention: `@commit:${sha}`,
      attachment: () =>
        attachments.of({
          kind: 'commit',
          label: sha,
          title: vscode.l10n.t('Commit {0}: {1}', sha, subject),
          uri: folder.toString(),
          ref: sha,
        }),
    }));
  }
}

function gitFolder(): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.workspace.isTrusted && folder?.scheme === 'file' ? folder : undefined;
}
