import * as vscode from 'vscode';
import { nameStart, type PathMatch } from '../../base/pathList';
import type { ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';
import { fileIcon } from './fileIcon';

/** A file or folder of the workspace. */
export function fileMention(
  kind: 'file' | 'folder',
  { path, hits }: PathMatch,
  uri: vscode.Uri,
  attachments: ContextAttachments,
): Candidate {
  const nameAt = nameStart(path);
  return {
    icon: kind === 'folder' ? 'folder' : fileIcon(path),
    name: path.slice(nameAt),
    hits: hits.flatMap(hit => (hit >= nameAt ? [hit - nameAt] : [])),
    detail: path.slice(0, Math.max(0, nameAt - 1)),
    mention: kind === 'folder' ? `@${path}/` : `@${path}`,
    attachment: () => (kind === 'folder' ? attachments.ofFolder(uri) : attachments.ofFile(uri)),
  };
}

/** The files in the editors: that of the one worked in first, then those beside it, then the tabs. */
export function openFiles(first: vscode.Uri | undefined): readonly vscode.Uri[] {
  const { visibleTextEditors, tabGroups } = vscode.window;
  const uris = [
    ...(first ? [first] : []),
    ...visibleTextEditors.map(({ document }) => document.uri),
    ...tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(({ input }) => uriOf(input) ?? [])),
  ];
  const known = new Map(uris.map(uri => [uri.toString(), uri]));
  return [...known.values()].filter(({ scheme }) => scheme === 'file');
}

function uriOf(input: unknown): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
    ? input.uri
    : undefined;
}
