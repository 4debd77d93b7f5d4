import * as vscode from 'vscode';
import { eolOf } from './documents';
import { minimalEdits } from './minimalEdits';
import { withEol } from './textEncoding';

export interface TextChange {
  readonly range: vscode.Range;
  readonly text: string;
}

/** The few changes that make `wanted` of `now`, which is what the document says. */
export function changesOf(
  document: vscode.TextDocument,
  now: string,
  wanted: string,
): TextChange[] {
  return minimalEdits(now, withEol(wanted, eolOf(document))).map(({ start, end, text }) => ({
    range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
    text,
  }));
}

export function workspaceEdit(
  document: vscode.TextDocument,
  changes: readonly TextChange[],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { range, text } of changes) edit.replace(document.uri, range, text);
  return edit;
}
