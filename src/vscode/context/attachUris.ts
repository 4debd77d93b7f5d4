import * as vscode from 'vscode';
import type { SessionController } from '../../session/lifecycle/sessionController';
import { resolveInScope } from '../files/scopedPath';
import { showWarningMessage } from '../messages';
import type { ContextAttachments } from './contextAttachments';

const MAX_URIS = 100;

/**
 * Attaches what was dropped. A page that shows what a model wrote may name anything: files count that the workspace or
 * an editor has.
 */
export async function attachUris(
  texts: readonly string[],
  attachments: ContextAttachments,
  chat: Pick<SessionController, 'attach'>,
): Promise<void> {
  const open = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(uriOf)));
  let refused = 0;
  for (const text of texts.slice(0, MAX_URIS)) {
    const uri = URL.canParse(text) ? vscode.Uri.parse(text) : undefined;
    if (uri?.scheme === 'http' || uri?.scheme === 'https') {
      const { host, href } = new URL(text);
      chat.attach(attachments.of({ kind: 'link', label: host, title: href, uri: href }));
    } else if (uri && (open.has(uri.toString()) || (await isInWorkspace(uri)))) {
      chat.attach(await attachments.ofPath(uri));
    } else refused += 1;
  }
  if (refused > 0) {
    void showWarningMessage(
      vscode.l10n.t(
        'Only files of the workspace and open files can be dropped here. Use Add Context for others.',
      ),
    );
  }
}

/** `getWorkspaceFolder` alone takes `..` and symbolic links for what they seem. It is asked first: a look may be a request. */
async function isInWorkspace(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return false;
  const roots = (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath);
  return resolveInScope(uri.fsPath, { roots }).then(
    () => true,
    () => false,
  );
}

function uriOf({ input }: vscode.Tab): string[] {
  const isFile =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return isFile ? [input.uri.toString()] : [];
}
