import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Chats } from '../../session/chats';
import type { Attachment } from '../../session/state/state';
import type { MentionGroup, MentionItem } from '../../shared/queries';
import type { ContextAttachments } from '../context/contextAttachments';
import type { EditorContext } from '../context/editorContext';
import { countOf, problemsOf } from '../context/problemsContext';
import { editorGit } from '../editorGit';
import { matching, type Candidate, type CandidateGroup } from './candidate';
import { chatMentions } from './chatMentions';
import { fileMention, openFiles } from './fileMentions';
import { CommitMentions, changesMention } from './gitMentions';
import { linkMention } from './linkMention';
import { pastedMention } from './pastedMention';
import { symbolMentions } from './symbolMentions';
import { terminalMentions } from './terminalMentions';
import { WorkspaceFiles } from './workspaceFiles';

export interface MentionParts {
  readonly chats: Chats;
  readonly editor: EditorContext;
  readonly attachments: ContextAttachments;
  readonly logger: Logger;
}

const MAX_FILES = 30;
const MAX_FOLDERS = 5;
const MAX_OPEN = 8;
const MAX_CHATS = 5;
const MAX_COMMITS = 5;
/** Ids of what was offered that can still be chosen. */
const MAX_OFFERED = 1_000;

/** What `@` may stand for, and what is chosen of it. */
export class Mentions implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly git = editorGit();
  private readonly files: WorkspaceFiles;
  private readonly commits = new CommitMentions(this.git);
  private readonly offered = new Map<string, Candidate>();
  private count = 0;

  constructor(private readonly parts: MentionParts) {
    this.files = this.disposables.add(new WorkspaceFiles(this.git, parts.logger));
  }

  /** What is known at once. */
  async find(text: string, chatId: string | undefined): Promise<readonly MentionGroup[]> {
    const link = linkMention(text, this.parts.attachments);
    if (link) return this.offer([{ name: vscode.l10n.t('Links'), items: [link] }]);
    const files = await this.fileGroup(text);
    const more: CandidateGroup = {
      name: vscode.l10n.t('More'),
      items: matching(this.others(), text, MAX_FILES),
    };
    const chats: CandidateGroup = {
      name: vscode.l10n.t('Chats'),
      items:
        text === ''
          ? []
          : matching(
              chatMentions(this.parts.chats, chatId, this.parts.attachments),
              text,
              MAX_CHATS,
            ),
    };
    // A word typed from its beginning is meant, whatever files are called.
    const meant = more.items.some(({ mention }) => text !== '' && mention.startsWith(`@${text}`));
    return this.offer(meant ? [more, files, chats] : [files, more, chats]);
  }

  /** What other programs are asked for. */
  async findSlow(text: string): Promise<readonly MentionGroup[]> {
    if (text === '') return [];
    const { attachments, editor } = this.parts;
    const [symbols, commits] = await Promise.all([
      symbolMentions(text, editor.editor?.document.uri, attachments),
      this.commits.get(attachments),
    ]);
    return this.offer([
      { name: vscode.l10n.t('Symbols'), items: symbols },
      { name: vscode.l10n.t('Commits'), items: matching(commits, text, MAX_COMMITS) },
    ]);
  }

  /** Where pasted code comes from, where that is certain. */
  pasted(text: string): MentionItem | undefined {
    const candidate = pastedMention(text, this.parts.attachments);
    return candidate && this.offerOne(candidate);
  }

  /** What goes along where the user chose `id`; undefined when it was not offered. */
  attachment(id: string): Attachment | undefined {
    const candidate = this.offered.get(id);
    return candidate && { ...candidate.attachment(), mention: candidate.mention };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async fileGroup(text: string): Promise<CandidateGroup> {
    const { attachments, editor } = this.parts;
    const open = openFiles(editor.editor?.document.uri);
    const nameOf = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri);
    if (text === '') {
      // The list is not waited for, but will be needed with the next key.
      void this.files.get();
      const items = open
        .slice(0, MAX_OPEN)
        .map(uri => fileMention('file', { path: nameOf(uri), hits: [] }, uri, attachments));
      return { name: vscode.l10n.t('Open files'), items };
    }
    const { files, folders, uriOf } = await this.files.get();
    const preferred = new Set(open.map(nameOf));
    const of = (kind: 'file' | 'folder', list: typeof files, limit: number) =>
      list.search(text, limit, preferred).flatMap(match => {
        const uri = uriOf(match.path);
        return uri ? [fileMention(kind, match, uri, attachments)] : [];
      });
    const found = [...of('file', files, MAX_FILES), ...of('folder', folders, MAX_FOLDERS)];
    return { name: vscode.l10n.t('Files'), items: found };
  }

  private others(): readonly Candidate[] {
    const { attachments } = this.parts;
    const problems = countOf(problemsOf());
    const changes = changesMention(attachments);
    return [
      ...(problems > 0 ? [problemsMention(problems, attachments)] : []),
      ...(changes ? [changes] : []),
      ...terminalMentions(attachments),
    ];
  }

  private offer(groups: readonly CandidateGroup[]): readonly MentionGroup[] {
    return groups
      .filter(({ items }) => items.length > 0)
      .map(({ name, items }) => ({ name, items: items.map(item => this.offerOne(item)) }));
  }

  private offerOne(candidate: Candidate): MentionItem {
    const { attachment: _, ...item } = candidate;
    this.count += 1;
    const id = String(this.count);
    this.offered.set(id, candidate);
    this.offered.delete(String(this.count - MAX_OFFERED));
    return { ...item, id };
  }
}

function problemsMention(count: number, attachments: ContextAttachments): Candidate {
  return {
    icon: 'warning',
    name: vscode.l10n.t('Problems'),
    hits: [],
    detail: vscode.l10n.t('{0} in the workspace', count),
    mention: '@problems',
    attachment: () =>
      attachments.ofProblems() ??
      attachments.of({
        kind: 'problems',
        label: vscode.l10n.t('Problems ({0})', 0),
        title: vscode.l10n.t('Problems in the workspace'),
      }),
  };
}
