import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { EditorUris } from '../../src/vscode/review/diff/editorUris';
import { WorkspaceScope } from '../../src/vscode/tracking/workspaceScope';
import { until } from './support';

describe('the files that count', () => {
  const scope = new WorkspaceScope(new EditorUris(), []);
  const exclude = (section: 'files' | 'search', value: object | undefined) =>
    vscode.workspace
      .getConfiguration(section)
      .update('exclude', value, vscode.ConfigurationTarget.Workspace);

  after(async () => {
    scope.dispose();
    await exclude('files', undefined);
    await exclude('search', undefined);
  });

  it('follow files.exclude and search.exclude', async () => {
    const [root = ''] = scope.roots();
    const made = path.join(root, 'made', 'a.txt');
    const found = path.join(root, 'found', 'a.txt');
    assert.deepEqual(
      [made, found].map(file => scope.isExcluded(file)),
      [false, false],
    );
    assert.equal(scope.isHidden(made), false);
    await exclude('files', { '**/made': true });
    await until(() => scope.isHidden(made), [vscode.workspace.onDidChangeConfiguration]);
    await exclude('search', { '**/found': true });
    await until(() => scope.isExcluded(found), [vscode.workspace.onDidChangeConfiguration]);
    assert.equal(scope.isExcluded(made), true);
    assert.equal(scope.isHidden(found), false);
  });
});
