import * as vscode from 'vscode';
import type { EditorContext } from '../context/editorContext';

/**
 * Lets the user say where code goes that does not say so itself.
 * @param before the document's text, with `\n` line ends
 * @returns the text with the code in it; undefined when the user chose nothing
 */
export async function pickPlace(
  document: vscode.TextDocument,
  before: string,
  code: string,
  { editor }: EditorContext,
): Promise<string | undefined> {
  if (before.trim() === '') return `${code}\n`;
  const lines = before.split('\n');
  const here = editor?.document === document ? editor.selection : undefined;
  const insertAt = (line: number): string =>
    [...lines.slice(0, line), code, ...lines.slice(line)].join('\n');
  const items = [
    ...(here && !here.isEmpty
      ? [
          {
            label: vscode.l10n.t('Replace the Selected Lines'),
            text: [
              ...lines.slice(0, here.start.line),
              code,
              ...lines.slice(here.end.character === 0 ? here.end.line : here.end.line + 1),
            ].join('\n'),
          },
        ]
      : []),
    ...(here?.isEmpty
      ? [{ label: vscode.l10n.t('Insert Above the Cursor'), text: insertAt(here.active.line) }]
      : []),
    {
      label: vscode.l10n.t('Append to the File'),
      text: `${before.replace(/\n*$/, '\n\n')}${code}\n`,
    },
    { label: vscode.l10n.t('Replace the Whole File'), text: `${code}\n` },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Select Where to Put the Code'),
    placeHolder: vscode.l10n.t('Shows the change before it is made'),
  });
  return picked?.text;
}
