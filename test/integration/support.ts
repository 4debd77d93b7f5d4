import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { nullLogger } from '../../src/base/logger';
import type { Logger } from '../../src/base/logger';

export const logger: Logger = nullLogger;

/** A folder of its own for each test file; removed by `remove`. */
export function temporaryFolder(): { readonly root: string; remove(): void } {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-integration-')));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Resolves once `condition` holds, looking again at each of `events`; fails after `ms` milliseconds. */
export function until(
  condition: () => boolean,
  events: readonly vscode.Event<unknown>[],
  ms = 10_000,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const listeners: vscode.Disposable[] = [];
    const end = () => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    };
    const timer = setTimeout(() => {
      end();
      reject(new assert.AssertionError({ message: `Not within ${ms} ms: ${String(condition)}` }));
    }, ms);
    const check = () => {
      if (!condition()) return;
      end();
      resolve();
    };
    for (const event of events) listeners.push(event(check));
    check();
  });
}

/** Shows `file` as it is on disk: what VS Code still holds of it is read anew only once it is shown. */
export async function open(file: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const editor = await vscode.window.showTextDocument(document);
  const { encoding } = document;
  const lines = (text: string): string => text.replaceAll('\r\n', '\n');
  const onDisk = lines(await vscode.workspace.decode(readFileSync(file), { encoding }));
  const isRead = (): boolean => lines(document.getText()) === onDisk;
  await until(isRead, [vscode.workspace.onDidChangeTextDocument]);
  return editor;
}

export async function closeAllEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && document.uri.scheme === 'file') await document.save();
  }
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

export const allTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap(group => [...group.tabs]);
