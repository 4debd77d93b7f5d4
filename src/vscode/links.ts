import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { inParallel } from '../base/inParallel';
import { isBelow } from '../git/isBelow';
import { parseLink } from '../shared/links';
import { resolveInScope, type ScopedPath } from './files/scopedPath';
import { showWarningMessage } from './messages';

/** Of one query. */
const MAX_LINKS = 500;

/** Opens a link of a chat that works in `cwd`. Files only within the workspace. Tells why it cannot. */
export async function openLink(href: string, cwd: string): Promise<void> {
  const target = parseLink(href);
  if (target.kind === 'web') {
    await vscode.env.openExternal(vscode.Uri.parse(target.url, true));
    return;
  }
  if (target.kind === 'refused') {
    void showWarningMessage(
      vscode.l10n.t('Parley opens only web pages and files of the workspace, not {0}', href),
    );
    return;
  }
  const found = await findFile(target.path, cwd);
  if (!found) {
    void showWarningMessage(
      vscode.l10n.t('There is no such file in the workspace: {0}', target.path),
    );
  } else if (found.isFolder) {
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(found.file));
  } else {
    await openFile(found.file, target);
  }
}

/** Those of `links` that `openLink` would open, of the links to files. */
export async function existingLinks(
  links: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const existing: string[] = [];
  await inParallel(links.slice(0, MAX_LINKS), async link => {
    if (signal.aborted) return;
    const target = parseLink(link);
    if (target.kind === 'file' && (await findFile(target.path, cwd))) existing.push(link);
  });
  return existing;
}

/** The file or folder of the workspace, by the name under which the editor has it or would have it. */
export async function findFile(
  name: string,
  cwd: string,
): Promise<{ readonly file: string; readonly isFolder: boolean } | undefined> {
  const roots = [...new Set([...workspaceRoots(), cwd])];
  const fromRoots = roots.map(root => path.join(root, name));
  const candidates = path.isAbsolute(name) ? [name, ...fromRoots] : fromRoots;
  for (const candidate of candidates) {
    const inside = await resolveInScope(candidate, { roots }).catch(() => undefined);
    if (!inside) continue;
    const info = await stat(inside.real).catch(() => undefined);
    if (!info?.isFile() && !info?.isDirectory()) continue;
    return { file: editorSpelling(inside, roots), isFolder: info.isDirectory() };
  }
  return undefined;
}

/** Through a symlinked folder a file has several names: that of a tab, else that below a root. */
function editorSpelling({ spellings }: ScopedPath, roots: readonly string[]): string {
  const names = new Map(spellings.map(name => [vscode.Uri.file(name).toString(), name]));
  for (const { input } of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const name = input instanceof vscode.TabInputText && names.get(input.uri.toString());
    if (name) return name;
  }
  const below = roots.flatMap(
    root => spellings.find(name => name === root || isBelow(name, root)) ?? [],
  );
  return below[0] ?? spellings[0] ?? '';
}

/** Shows a file, at a line if one is given. Lines are 1-based. */
export async function openFile(
  file: string,
  place: { readonly line?: number; readonly endLine?: number; readonly column?: number },
): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (place.line === undefined) {
    // Chooses the right editor for images and other files that are no text.
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    return;
  }
  const start = new vscode.Position(place.line - 1, (place.column ?? 1) - 1);
  const end = place.endLine === undefined ? start : new vscode.Position(place.endLine, 0);
  await vscode.commands.executeCommand('vscode.open', uri, {
    preview: true,
    selection: new vscode.Range(start, end),
  });
}

export function workspaceRoots(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(folder => folder.uri.scheme === 'file')
    .map(folder => folder.uri.fsPath);
}
