import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { PanelState } from '../../shared/panelState';
import { watchValue } from '../settings/watchValue';
import { labelOf } from './contextAttachments';

/**
 * The editor the user works in: the active one or, while a chat has the place of the active editor, the
 * last one that is still visible.
 */
export class EditorContext implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<void>();
  /** What `view` answers has changed. */
  readonly onDidChange = this.changed.event;
  private last: vscode.TextEditor | undefined;
  private shown = '';

  constructor() {
    this.remember(vscode.window.activeTextEditor);
    this.disposables.add(this.changed);
    this.disposables.add(
      vscode.window.onDidChangeActiveTextEditor(editor => {
        this.remember(editor);
        this.update();
      }),
    );
    this.disposables.add(vscode.window.onDidChangeVisibleTextEditors(() => this.update()));
    this.disposables.add(
      vscode.window.onDidChangeTextEditorSelection(event => {
        if (event.textEditor === this.last) this.update();
      }),
    );
    this.disposables.add(
      watchValue(vscode.workspace.onDidChangeConfiguration, offered, () => this.update()),
    );
    this.shown = JSON.stringify(this.view());
  }

  get editor(): vscode.TextEditor | undefined {
    if (isUsable(vscode.window.activeTextEditor)) return vscode.window.activeTextEditor;
    return this.last && vscode.window.visibleTextEditors.includes(this.last)
      ? this.last
      : undefined;
  }

  /** What the panel offers: the selection, or the whole file, as the user wants it. */
  view(): PanelState['activeEditor'] {
    const { editor } = this;
    const scope = offered();
    if (!editor || scope === 'off') return undefined;
    if (!editor.selection.isEmpty) return { label: labelOf(editor), hasSelection: true };
    if (scope === 'selection') return undefined;
    return { label: path.posix.basename(editor.document.uri.path), hasSelection: false };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private remember(editor: vscode.TextEditor | undefined): void {
    if (isUsable(editor)) this.last = editor;
  }

  private update(): void {
    const now = JSON.stringify(this.view());
    if (now === this.shown) return;
    this.shown = now;
    this.changed.fire();
  }
}

/** Files and unsaved new files; not logs, outputs and Parley's own documents. */
function isUsable(editor: vscode.TextEditor | undefined): editor is vscode.TextEditor {
  const scheme = editor?.document.uri.scheme;
  return scheme === 'file' || scheme === 'untitled';
}

/** `parley.context.activeEditor`; what is no value of it is the default. */
function offered(): 'file' | 'selection' | 'off' {
  const value = vscode.workspace.getConfiguration('parley').get<unknown>('context.activeEditor');
  return value === 'selection' || value === 'off' ? value : 'file';
}
