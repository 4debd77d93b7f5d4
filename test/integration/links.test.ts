import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { existingLinks, openLink } from '../../src/vscode/links';
import { allTabs, closeAllEditors, open, temporaryFolder } from './support';

describe('links of a chat', () => {
  const { root, remove } = temporaryFolder();
  const outside = temporaryFolder();
  const real = path.join(root, 'real');
  const linked = path.join(root, 'linked');
  const signal = new AbortController().signal;

  before(() => {
    mkdirSync(path.join(real, 'a folder'), { recursive: true });
    for (const name of ['app.ts', 'Makefile', 'a folder/b c.ts']) {
      writeFileSync(path.join(real, name), 'one\ntwo\nthree\nfour\n');
    }
    symlinkSync(real, linked);
    writeFileSync(path.join(outside.root, 'secret.ts'), '');
    symlinkSync(outside.root, path.join(real, 'out'));
  });
  afterEach(closeAllEditors);
  after(() => {
    remove();
    outside.remove();
  });

  it('exist when they lead to files and folders of the workspace', async () => {
    const existing = [
      'app.ts',
      'app.ts:3',
      'Makefile:1',
      'a folder/b c.ts:2',
      'a%20folder/b%20c.ts',
      'a folder',
      '/app.ts',
      path.join(real, 'app.ts'),
      `${path.join(linked, 'app.ts')}:2`,
      `${vscode.Uri.file(path.join(real, 'app.ts')).toString()}#L2-L3`,
    ];
    const missing = [
      'gone.ts',
      'app.ts/x',
      'out/secret.ts',
      '../real/../../etc/hosts',
      path.join(outside.root, 'secret.ts'),
      '//server/share/a.ts',
      'https://example.org/app.ts',
      'command:app.ts',
    ];
    for (const cwd of [real, linked]) {
      const found = await existingLinks([...existing, ...missing], cwd, signal);
      assert.deepEqual([...found].sort(), [...existing].sort());
    }
  });

  for (const cwd of [real, linked]) {
    it(`open to the line, in the tab that is there (${path.basename(cwd)})`, async () => {
      const spellings = [
        'app.ts:3',
        `${path.join(real, 'app.ts')}:3`,
        `${path.join(linked, 'app.ts')}:3`,
      ];
      await open(path.join(cwd, 'app.ts'));
      for (const link of spellings) {
        await openLink(link, cwd);
        const editor = vscode.window.activeTextEditor;
        assert.equal(editor?.document.uri.fsPath, path.join(cwd, 'app.ts'), link);
        assert.equal(editor.selection.start.line, 2);
        assert.equal(allTabs().length, 1);
      }
    });
  }
});
