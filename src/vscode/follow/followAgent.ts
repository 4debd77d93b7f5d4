import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Event } from '../../base/event';
import type { Applied } from '../../session/state/store';
import type { SessionState, ToolLocation } from '../../session/state/state';
import { findToolCall } from '../../session/state/toolCalls';
import { resolveInScope } from '../files/scopedPath';
import { watchValue } from '../settings/watchValue';
import { FOLLOW_SETTING, isFollowOn } from './followSetting';
import { chatTabIsActive } from '../review/chatTab';

/** The chats of a window, as far as following an agent needs them. */
export interface FollowedChats {
  readonly all: readonly FollowedChat[];
  readonly onDidAdd: Event<FollowedChat>;
}

export interface FollowedChat {
  readonly chatId: string;
  readonly isReplay?: boolean;
  readonly store: { readonly state: SessionState; readonly onDidApply: Event<Applied> };
}

/** A place an agent works at. */
interface Place {
  readonly file: string;
  /** 0-based. */
  readonly line?: number;
  /** The file is not there yet: the place counts as new when it is named again. */
  readonly notThere: () => void;
}

/**
 * Shows the files an agent works at, as its tool calls name them: in a preview tab, without taking the focus
 * and never in a locked group. Only for the chat before the user, and only until the user turns to an editor
 * themselves: nothing is replaced under their hands. Their next prompt (or the command) takes it up again.
 */
export class FollowAgent implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly status: vscode.StatusBarItem;
  private readonly mark: vscode.TextEditorDecorationType;
  private readonly seen = new Map<string, Set<string>>();
  private paused = false;
  private next: Place | undefined;
  private showing: string | undefined;
  private running = false;

  /**
   * @param current the id of the chat before the user
   * @param roots absolute paths of the folders whose files may be shown
   */
  constructor(
    chats: FollowedChats,
    private readonly current: () => string | undefined,
    private readonly roots: () => readonly string[],
  ) {
    const { disposables } = this;
    this.mark = disposables.add(
      vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
      }),
    );
    this.status = disposables.add(
      vscode.window.createStatusBarItem('parley.follow', vscode.StatusBarAlignment.Left, -12),
    );
    this.status.name = vscode.l10n.t('Parley: Following the Agent');
    this.status.command = 'parley.followAgent';
    for (const chat of chats.all) this.watch(chat);
    disposables.add(chats.onDidAdd(chat => this.watch(chat)));
    disposables.add(
      watchValue(vscode.workspace.onDidChangeConfiguration, isFollowOn, () => this.pause(false)),
    );
    disposables.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command) {
          this.pause(true);
        }
      }),
    );
    disposables.add(
      vscode.window.onDidChangeActiveTextEditor(editor => {
        const shown = editor?.document.uri.toString();
        if (shown !== undefined && shown !== this.showing) this.pause(true);
      }),
    );
    this.update();
  }

  /** Whether the next place will be shown. */
  get isFollowing(): boolean {
    return isFollowOn() && !this.paused;
  }

  /** On or off, for good; when the user had turned to something else, on again. */
  async toggle(): Promise<void> {
    if (isFollowOn() && this.paused) {
      this.pause(false);
      return;
    }
    const settings = vscode.workspace.getConfiguration();
    const inWorkspace = settings.inspect(FOLLOW_SETTING)?.workspaceValue !== undefined;
    const target = inWorkspace
      ? vscode.ConfigurationTarget.Workspace
      : vscode.ConfigurationTarget.Global;
    await settings.update(FOLLOW_SETTING, !isFollowOn(), target);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private watch({ chatId, store, isReplay }: FollowedChat): void {
    if (isReplay) return;
    this.disposables.add(
      store.onDidApply(({ action }) => {
        if (!isFollowOn() || this.current() !== chatId) return;
        if (action.type === 'messageQueued') this.pause(false);
        else if (action.type === 'turnEnded') this.seen.delete(chatId);
        else if (action.type === 'toolCallChanged')
          this.look(chatId, store.state, action.toolCallId);
      }),
    );
  }

  /** Goes to the last place of the tool call that was not named before in this turn. */
  private look(chatId: string, state: SessionState, toolCallId: string): void {
    // Without a running turn it is an old conversation that is replayed.
    if (!state.activeTurn || !this.isFollowing) return;
    const locations = findToolCall(state, toolCallId)?.locations ?? [];
    const seen = this.seen.get(chatId) ?? new Set();
    this.seen.set(chatId, seen);
    const key = ({ path: file, line }: ToolLocation): string =>
      JSON.stringify([toolCallId, file, line]);
    const place = locations.findLast(location => !seen.has(key(location)));
    for (const location of locations) seen.add(key(location));
    if (!place) return;
    this.next = {
      file: path.resolve(state.cwd, place.path),
      ...(place.line !== undefined && { line: Math.max(0, place.line - 1) }),
      notThere: () => seen.delete(key(place)),
    };
    void this.run();
  }

  /** One place at a time; what came meanwhile is left out but for the last. */
  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (let place = this.next; place && this.isFollowing; place = this.next) {
        this.next = undefined;
        await this.show(place);
      }
    } finally {
      this.running = false;
    }
  }

  private async show({ file, line, notThere }: Place): Promise<void> {
    const inside = await resolveInScope(file, { roots: this.roots() }).catch(() => undefined);
    const info = inside && (await stat(inside.real).catch(() => undefined));
    if (inside && !info) notThere();
    if (info?.isFile() !== true || !this.isFollowing) return;
    const uri = vscode.Uri.file(file);
    const editor = visibleEditor(uri) ?? (await this.open(uri));
    if (!editor) return;
    for (const other of vscode.window.visibleTextEditors) {
      if (other !== editor) other.setDecorations(this.mark, []);
    }
    if (line === undefined) {
      editor.setDecorations(this.mark, []);
      return;
    }
    const at = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range;
    editor.setDecorations(this.mark, [at]);
    editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Without a column of its own VS Code leaves locked groups alone. Undefined for what is no text. */
  private async open(uri: vscode.Uri): Promise<vscode.TextEditor | undefined> {
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      if (!this.isFollowing) return undefined;
      this.showing = uri.toString();
      return await vscode.window.showTextDocument(document, {
        preview: true,
        preserveFocus: true,
        ...(chatTabIsActive() && { viewColumn: vscode.ViewColumn.Beside }),
      });
    } catch {
      return undefined;
    }
  }

  private pause(paused: boolean): void {
    this.paused = paused;
    if (paused) this.next = undefined;
    this.update();
  }

  private update(): void {
    if (!isFollowOn()) {
      for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.mark, []);
      this.status.hide();
      return;
    }
    this.status.text = this.paused
      ? `$(debug-pause) ${vscode.l10n.t('Following Paused')}`
      : `$(eye) ${vscode.l10n.t('Following the Agent')}`;
    this.status.tooltip = this.paused
      ? vscode.l10n.t('You switched to an editor. Your next message or a click resumes following.')
      : vscode.l10n.t('Parley shows the files the agent is working on. Click to stop.');
    this.status.show();
  }
}

/** One in an editor group; halves of diffs are not moved under the user's eyes. */
function visibleEditor(uri: vscode.Uri): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(
    ({ document, viewColumn }) =>
      viewColumn !== undefined && document.uri.toString() === uri.toString(),
  );
}
