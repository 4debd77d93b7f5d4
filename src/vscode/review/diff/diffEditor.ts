import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Event } from '../../../base/event';
import { DisposableStore } from '../../../base/lifecycle';
import type { Disposable } from '../../../base/lifecycle';
import { chatTabIsActive } from '../chatTab';
import { diffSides } from './diffContents';
import type { AgentDiff, DiffContents, DiffSides, RequestKey } from './diffContents';
import { tabUris } from './memoryDocuments';
import type { MemoryDocuments } from './memoryDocuments';
import type { OpenProposals, Proposal } from './openProposals';

/** What the diff editor asks about requests for permission. */
export interface WaitingRequests {
  /** As it was shown: a request that the agent changed, and the user reviewed again, is another. */
  isWaiting(request: RequestKey): boolean;
  /** It waits, but no longer as it was shown. */
  isReplaced(request: RequestKey): boolean;
  /** False while something of it is to be looked at first. */
  mayAllow(request: RequestKey): boolean;
  /** A request came or was answered, here or anywhere else. */
  readonly onDidChange: Event<void>;
}

/** Reads a file for showing it; undefined when there is none or it is no text. */
export type CurrentText = (file: string) => Promise<string | undefined>;

/** So many diffs stay readable after their tabs are closed. */
const MAX_KEPT = 50;

const WAITING_KEY = 'parley.waitingProposals';
const ACTIVE_KEY = 'parley.proposalActive';

/**
 * Shows agents' edits in VS Code's diff editor. Opens only when the user asks for it; an edit that waits
 * for permission can be changed and answered there, and its tab closes once it is answered, wherever that
 * happened.
 */
export class DiffEditor implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<void>();
  /** Proposals came or went. */
  readonly onDidChangeProposals = this.changed.event;
  private readonly kept: (readonly vscode.Uri[])[] = [];

  constructor(
    private readonly contents: DiffContents,
    private readonly requests: WaitingRequests,
    private readonly documents: MemoryDocuments,
    private readonly currentText: CurrentText,
    private readonly proposals: OpenProposals,
  ) {
    this.disposables.add(this.changed);
    this.disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // What is said at a proposal depends on whether it was changed.
        if (this.proposals.has(document.uri)) this.changed.fire();
      }),
    );
    this.disposables.add(
      requests.onDidChange(() => {
        // Whether a proposal may be allowed may have changed, too.
        if (this.proposals.all.length > 0) this.changed.fire();
        void this.closeAnswered();
      }),
    );
    this.disposables.add(vscode.window.tabGroups.onDidChangeTabs(() => this.updateKeys()));
    this.disposables.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.updateKeys()));
  }

  /** Opens the diff that the chat's state calls `ref`. Answers false when it is not kept any more. */
  async open(chatId: string, ref: string): Promise<boolean> {
    const diff = this.contents.diff(chatId, ref);
    if (!diff) return false;
    const request =
      diff.request && this.requests.isWaiting(diff.request) ? diff.request : undefined;
    // A file is still where it was while a move waits.
    const place = request ? (diff.oldPath ?? diff.path) : diff.path;
    const current = path.isAbsolute(place) ? await this.currentText(place) : undefined;
    const sides = diffSides(withRequest(diff, request), current);
    const id = `${chatId}/${ref}`;
    const shown =
      (request && this.proposals.changed(request, id, diff.path)) ??
      this.put(id, diff.path, sides, request);
    this.keep([shown.original, shown.modified]);
    const { visibleText } = await import('../../../base/visibleText');
    const name = visibleText(path.basename(diff.path));
    const title = request
      ? vscode.l10n.t('{0} (Parley: proposed edit)', name)
      : vscode.l10n.t("{0} (Parley: agent's edit)", name);
    await vscode.commands.executeCommand('vscode.diff', shown.original, shown.modified, title, {
      preview: true,
      // A chat in an editor tab stays in sight.
      viewColumn: chatTabIsActive() ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
    this.updateKeys();
    this.changed.fire();
    // It may have been answered while the editor opened.
    await this.closeAnswered();
    return true;
  }

  /** Opens a whole text that the state shows cut. */
  async openText(chatId: string, ref: string, title: string, text: string): Promise<void> {
    const uri = this.documents.put(`${chatId}/${ref}`, `/${fileNameOf(title)}`, text);
    this.keep([uri]);
    await vscode.window.showTextDocument(uri, {
      preview: true,
      viewColumn: chatTabIsActive() ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
  }

  /** The waiting edit shown at `uri` (either side); without `uri`, the one in the active editor. */
  proposalAt(uri?: vscode.Uri): Proposal | undefined {
    const { editable } = this.proposals;
    const wanted = uri ?? activeModified([this.documents.scheme, editable.scheme]);
    return wanted && this.proposals.at(wanted);
  }

  mayAllow({ request }: Proposal): boolean {
    return this.requests.mayAllow(request);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private put(
    id: string,
    file: string,
    { left, right, whole }: DiffSides,
    request: RequestKey | undefined,
  ): Pick<Proposal, 'original' | 'modified'> {
    const original = this.documents.put(`${id}?old`, file, left);
    // A snippet without its file is no version of the file: it is only shown.
    const documents = request && whole ? this.proposals.editable : this.documents;
    const modified = documents.put(`${id}?new`, file, right);
    if (request) {
      this.proposals.add({ request, original, modified, path: file, left, right });
    }
    return { original, modified };
  }

  private async closeAnswered(): Promise<void> {
    const answered = this.proposals.all.filter(({ request }) => !this.requests.isWaiting(request));
    if (answered.length === 0) return;
    for (const proposal of answered) this.proposals.remove(proposal);
    this.updateKeys();
    this.changed.fire();
    // What the user changed of a proposal that the agent then changed too stays open: it is theirs.
    const closing = answered.filter(
      proposal => !this.requests.isReplaced(proposal.request) || !this.proposals.isEdited(proposal),
    );
    const keys = new Set(closing.map(({ modified }) => modified.toString()));
    const tabs = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab => tabUris(tab).some(uri => keys.has(uri.toString())));
    // Saved in memory, so that closing asks nothing; the focus stays where it is.
    const unsaved = vscode.workspace.textDocuments.filter(
      document => document.isDirty && keys.has(document.uri.toString()),
    );
    await Promise.all(unsaved.map(document => document.save()));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  private updateKeys(): void {
    const waiting = this.proposals.all.map(({ modified }) => modified.toString());
    const active = this.proposalAt() !== undefined;
    void vscode.commands.executeCommand('setContext', WAITING_KEY, waiting);
    void vscode.commands.executeCommand('setContext', ACTIVE_KEY, active);
  }

  private keep(uris: readonly vscode.Uri[]): void {
    const key = String(uris[0]);
    const before = this.kept.findIndex(([first]) => String(first) === key);
    if (before >= 0) this.kept.splice(before, 1);
    this.kept.push(uris);
    const shown = new Set(
      vscode.window.tabGroups.all
        .flatMap(group => group.tabs)
        .flatMap(tab => tabUris(tab).map(uri => uri.toString())),
    );
    while (this.kept.length > MAX_KEPT) {
      const index = this.kept.findIndex(old => !old.some(uri => shown.has(uri.toString())));
      if (index < 0 || index === this.kept.length - 1) return;
      for (const uri of this.kept[index] ?? []) {
        this.documents.forget(uri);
        this.proposals.editable.forget(uri);
      }
      this.kept.splice(index, 1);
    }
  }
}

function withRequest(diff: AgentDiff, request: RequestKey | undefined): AgentDiff {
  const { request: _, ...rest } = diff;
  return { ...rest, ...(request && { request }) };
}

function activeModified(schemes: readonly string[]): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const input: unknown = tab?.input;
  return input instanceof vscode.TabInputTextDiff && schemes.includes(input.modified.scheme)
    ? input.modified
    : undefined;
}

/** A name for a made-up document: one line, no separators, an extension. */
function fileNameOf(title: string): string {
  const name = title
    .replace(/[\\/:*?"<>|\s]+/g, ' ')
    .trim()
    .slice(0, 60);
  return /\.\w+$/.test(name) ? name : `${name === '' ? 'output' : name}.txt`;
}
