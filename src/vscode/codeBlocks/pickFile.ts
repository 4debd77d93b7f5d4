import * as vscode from 'vscode';
import type { EditorContext } from '../context/editorContext';
import { parseLink } from '../../shared/links';
import { findFile } from '../links';

/**
 * Lets the user say which file code is about.
 * @param near the files named before it, the nearest first
 */
export async function pickFile(
  near: readonly string[],
  cwd: string,
  { editor }: EditorContext,
): Promise<string | undefined> {
  const paths = near.flatMap(link => {
    const target = parseLink(link);
    return target.kind === 'file' ? [target.path] : [];
  });
  const found = await Promise.all(paths.map(name => findFile(name, cwd)));
  const named = found.flatMap(item => (item?.isFolder === false ? [item.file] : []));
  const open = editor?.document.uri.scheme === 'file' ? [editor.document.uri.fsPath] : [];
  const files = [...new Set([...named, ...open])];
  if (files.length === 0) return browse(cwd);
  const items = files.map(file => ({
    label: vscode.workspace.asRelativePath(file, false),
    description: open.includes(file)
      ? vscode.l10n.t('in the editor')
      : vscode.l10n.t('named in the chat'),
    choose: async (): Promise<string | undefined> => file,
  }));
  const other = {
    label: vscode.l10n.t('Choose a File…'),
    description: '',
    choose: () => browse(cwd),
  };
  const picked = await vscode.window.showQuickPick([...items, other], {
    title: vscode.l10n.t('Select the File to Apply To'),
  });
  return picked?.choose();
}

async function browse(cwd: string): Promise<string | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      defaultUri: vscode.Uri.file(cwd),
      openLabel: vscode.l10n.t('Apply'),
    })) ?? [];
  return uri?.fsPath;
}
