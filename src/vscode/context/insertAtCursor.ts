import * as vscode from 'vscode';
import type { EditorContext } from './editorContext';
import { showInformationMessage, showWarningMessage } from '../messages';

/** Puts code from the chat where the caret is, as one undo step. */
export async function insertAtCursor(text: string, context: EditorContext): Promise<void> {
  const editor = context.editor;
  if (!editor) {
    void showInformationMessage(
      vscode.l10n.t('Open a file and place the cursor where the code belongs.'),
    );
    return;
  }
  const done = await editor.edit(edit => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) {
    void showWarningMessage(vscode.l10n.t('The text could not be inserted here.'));
    return;
  }
  await vscode.window.showTextDocument(editor.document, {
    viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
  });
}
