import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/event';
import type { AgentDiff, RequestKey } from '../../src/vscode/review/diff/diffContents';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { DiffEditor } from '../../src/vscode/review/diff/diffEditor';
import { OpenProposals } from '../../src/vscode/review/diff/openProposals';
import { MemoryDocuments } from '../../src/vscode/review/diff/memoryDocuments';
import { ProposalLenses } from '../../src/vscode/review/codeLenses/proposalLenses';
import { allTabs, closeAllEditors, logger, open, temporaryFolder, until } from './support';

/** The extension under test has this scheme too; a second registration in one host is refused. */
const SCHEME = 'parley-diff-test';
const EDITABLE = 'parley-proposal-test';

describe('the diff editor', () => {
  const { root, remove } = temporaryFolder();
  const file = path.join(root, 'retry.ts');
  const diffs = new Map<string, AgentDiff>();
  const waiting = new Set<string>();
  /** The revision of the request that is shown, and whether the agent has changed it since. */
  let shown = 0;
  let isChanged = false;
  const changed = new Emitter<void>();
  const documents = new MemoryDocuments(SCHEME);
  const editable = new MemoryDocuments(EDITABLE, true);
  const proposals = new OpenProposals(editable);
  const files = new VscodeTextFiles(logger);
  const editor = new DiffEditor(
    { diff: (_chat, ref) => diffs.get(ref) },
    {
      isWaiting: ({ requestId, revision }) => waiting.has(requestId) && revision === shown,
      isReplaced: ({ requestId, revision }) => waiting.has(requestId) && revision !== shown,
      mayAllow: () => !isChanged,
      onDidChange: changed.event,
    },
    documents,
    name => files.peek(name),
    proposals,
  );
  const lenses = new ProposalLenses(editor, [SCHEME, EDITABLE]);
  const request: RequestKey = { chatId: 'chat', requestId: 'request', revision: 0 };
  const diffTab = () =>
    allTabs().find(
      tab => tab.input instanceof vscode.TabInputTextDiff && tab.input.original.scheme === SCHEME,
    );
  const modified = () => {
    const input = diffTab()?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    return input.modified;
  };

  beforeEach(() => {
    writeFileSync(file, 'one\ntwo\nthree\n');
    diffs.clear();
    waiting.clear();
    shown = 0;
    isChanged = false;
  });
  afterEach(closeAllEditors);
  after(() => {
    editor.dispose();
    lenses.dispose();
    documents.dispose();
    editable.dispose();
    remove();
  });

  const propose = async () => {
    diffs.set('d', { path: file, oldText: 'two', newText: 'zwei', request });
    waiting.add('request');
    assert.equal(await editor.open('chat', 'd'), true);
  };

  it('shows a proposed snippet in its file, editable and in the language of the file', async () => {
    await propose();
    assert.equal(diffTab()?.label, 'retry.ts (Parley: proposed edit)');
    const document = await vscode.workspace.openTextDocument(modified());
    assert.equal(document.getText(), 'one\nzwei\nthree\n');
    assert.equal(document.languageId, 'typescript');
    assert.equal(vscode.workspace.fs.isWritableFileSystem(SCHEME), false);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(EDITABLE), true);
  });

  it('offers Allow and Reject at each hunk, on the modified side only', async () => {
    diffs.set('d', { path: file, oldText: 'one\ntwo\nthree\n', newText: '1\ntwo\n3\n', request });
    waiting.add('request');
    await editor.open('chat', 'd');
    const lensesOf = async (uri: vscode.Uri) => {
      await vscode.workspace.openTextDocument(uri);
      return vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
      );
    };
    const found = await lensesOf(modified());
    assert.deepEqual(
      found.map(lens => [lens.range.start.line, lens.command?.title, lens.command?.command]),
      [
        [0, 'Allow all 2 changes', 'parley.allow'],
        [0, 'Reject all', 'parley.reject'],
        [2, 'Allow all 2 changes', 'parley.allow'],
        [2, 'Reject all', 'parley.reject'],
      ],
    );
    const argument = found[0]?.command?.arguments?.[0] as vscode.Uri;
    assert.deepEqual(editor.proposalAt(argument)?.request, request);
    const input = diffTab()?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.deepEqual(await lensesOf(input.original), []);
  });

  it('closes without a question once the request is answered, and leaves other tabs', async () => {
    await open(file);
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await propose();
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    waiting.clear();
    changed.fire();
    await until(() => diffTab() === undefined, [vscode.window.tabGroups.onDidChangeTabs]);
    assert.equal(editor.proposalAt(), undefined);
    assert.deepEqual(
      allTabs().map(tab => tab.label),
      ['retry.ts'],
    );
  });

  it("takes the user's changes, saved or not, and closes without asking", async () => {
    await propose();
    const document = await vscode.workspace.openTextDocument(modified());
    assert.deepEqual(proposals.edited('chat', 'request'), []);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 4), '!');
    await vscode.workspace.applyEdit(edit);
    const mine = 'one\nzwei!\nthree\n';
    const expected = [{ path: file, proposed: 'one\nzwei\nthree\n', mine }];
    assert.deepEqual(proposals.edited('chat', 'request'), expected);
    assert.deepEqual(proposals.edited('chat', 'other'), []);
    const lensesOf = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      modified(),
    );
    assert.equal(lensesOf[0]?.command?.title, 'Allow with my changes');
    // Opened once more, it is still the user's version.
    await editor.open('chat', 'd');
    assert.deepEqual(proposals.edited('chat', 'request'), expected);
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\nthree\n');
    waiting.clear();
    changed.fire();
    await until(() => diffTab() === undefined, [vscode.window.tabGroups.onDidChangeTabs]);
  });

  it('offers no Allow once the agent has changed the request, and closes when that is reviewed again', async () => {
    await propose();
    isChanged = true;
    changed.fire();
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      modified(),
    );
    assert.deepEqual(
      found.map(({ command }) => [command?.title, command?.command]),
      [
        ['Review in Chat to Allow', 'parley.open'],
        ['Reject', 'parley.reject'],
      ],
    );
    shown = 1;
    changed.fire();
    await until(() => diffTab() === undefined, [vscode.window.tabGroups.onDidChangeTabs]);
  });

  it('leaves open what the user has changed when another revision takes its place, and offers nothing there', async () => {
    await propose();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(modified(), new vscode.Position(1, 4), '!');
    await vscode.workspace.openTextDocument(modified());
    await vscode.workspace.applyEdit(edit);
    shown = 1;
    changed.fire();
    assert.equal(editor.proposalAt(), undefined);
    assert.deepEqual(proposals.edited('chat', 'request'), []);
    const document = await vscode.workspace.openTextDocument(modified());
    assert.equal(document.getText(), 'one\nzwei!\nthree\n');
    await document.save();
  });

  it('only shows a snippet whose place in the file is not known', async () => {
    diffs.set('d', { path: file, oldText: 'nowhere', newText: 'somewhere', request });
    waiting.add('request');
    await editor.open('chat', 'd');
    assert.equal(modified().scheme, SCHEME);
  });

  it('keeps the diff of a tool call open: there is nothing to answer', async () => {
    diffs.set('t', { path: file, oldText: 'zwei', newText: 'two' });
    await editor.open('chat', 't');
    assert.equal(diffTab()?.label, "retry.ts (Parley: agent's edit)");
    assert.equal(editor.proposalAt(), undefined);
    changed.fire();
    assert.ok(diffTab());
    const input = diffTab()?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const before = await vscode.workspace.openTextDocument(input.original);
    assert.equal(before.getText(), 'one\nzwei\nthree\n');
  });

  it('opens the same diff in the same tab', async () => {
    await propose();
    await editor.open('chat', 'd');
    assert.equal(allTabs().length, 1);
  });

  it('shows the text as UTF-8 whatever files.encoding says', async () => {
    const config = vscode.workspace.getConfiguration('files');
    await config.update('encoding', 'iso88591', vscode.ConfigurationTarget.Global);
    try {
      diffs.set('u', { path: '/new.txt', oldText: null, newText: 'grün 🙂\n' });
      await editor.open('chat', 'u');
      const document = await vscode.workspace.openTextDocument(modified());
      assert.equal(document.getText(), 'grün 🙂\n');
    } finally {
      await config.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('closes tabs whose text is gone, as after a reload', async () => {
    diffs.set('t', { path: file, oldText: 'zwei', newText: 'two' });
    await editor.open('chat', 't');
    documents.forget(modified());
    await documents.closeStaleTabs();
    assert.equal(diffTab(), undefined);
  });

  it('opens nothing when the diff is not kept any more', async () => {
    assert.equal(await editor.open('chat', 'gone'), false);
    assert.equal(allTabs().length, 0);
  });
});
