import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { resolveInScope } from './files/scopedPath';
import { showWarningMessage } from './messages';

/** Where a link in an agent's prose leads. Lines and columns are 1-based. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly url: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly line?: number;
      readonly endLine?: number;
      readonly column?: number;
    }
  | { readonly kind: 'refused' };

/** Reads a link. Only web pages and files are links; commands, other programs' schemes and data are not. */
export function parseLink(href: string): LinkTarget {
  const text = href.trim();
  if (/^https?:\/\//i.test(text)) {
    return URL.canParse(text)
      ? { kind: 'web', url: new URL(text).toString() }
      : { kind: 'refused' };
  }
  let file = text;
  if (/^file:\/\//i.test(text)) {
    if (!URL.canParse(text)) return { kind: 'refused' };
    const { hash } = new URL(text);
    file = vscode.Uri.parse(text.split('#')[0] ?? text).fsPath + hash;
  } else if (/^[a-z][a-z0-9+.-]+:(?!\d)/i.test(text)) {
    // A scheme of two letters or more; `C:\` is a drive, and `Makefile:12` a file and its line.
    return { kind: 'refused' };
  } else {
    file = decode(text);
  }
  const place =
    /^(?<file>.+?)(?:#L(?<hashLine>\d+)(?:-L?(?<hashEnd>\d+))?|:(?<line>\d+)(?:-(?<end>\d+)|:(?<column>\d+))?)?$/s.exec(
      file,
    )?.groups;
  const name = place?.['file'];
  if (name === undefined || name === '' || name.startsWith('#')) return { kind: 'refused' };
  const line = positive(place?.['hashLine'] ?? place?.['line']);
  const endLine = positive(place?.['hashEnd'] ?? place?.['end']);
  const column = positive(place?.['column']);
  return {
    kind: 'file',
    path: name,
    ...(line !== undefined && { line }),
    ...(endLine !== undefined && { endLine }),
    ...(column !== undefined && { column }),
  };
}

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
  const roots = [...new Set([cwd, ...workspaceRoots()])];
  const candidates = path.isAbsolute(target.path)
    ? [target.path]
    : roots.map(root => path.join(root, target.path));
  for (const candidate of candidates) {
    const inside = await resolveInScope(candidate, { roots }).catch(() => undefined);
    if (!inside) continue;
    const info = await stat(inside.real).catch(() => undefined);
    if (info?.isDirectory() === true) {
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(candidate));
      return;
    }
    if (info?.isFile() !== true) continue;
    await openFile(candidate, target);
    return;
  }
  void showWarningMessage(
    vscode.l10n.t('There is no such file in the workspace: {0}', target.path),
  );
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

function positive(digits: string | undefined): number | undefined {
  const value = digits === undefined ? NaN : Number.parseInt(digits, 10);
  return value >= 1 ? value : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
