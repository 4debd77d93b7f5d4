import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { initialSession } from '../../src/session/state/initialSession';
import { FileError } from '../../src/session/ports';
import { ContextAttachments } from '../../src/vscode/context/contextAttachments';
import { EditorContext } from '../../src/vscode/context/editorContext';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { insertAtCursor } from '../../src/vscode/context/insertAtCursor';
import { closeAllEditors, logger, open, temporaryFolder } from './support';

describe('context of a message', () => {
  const { root, remove } = temporaryFolder();
  let file = '';
  const files = new VscodeTextFiles(logger);
  let count = 0;
  const attachments = new ContextAttachments(
    name => files.peek(name),
    () => `id${++count}`,
    () => undefined,
    text => text,
  );
  const plainChat = initialSession({ chatId: 'c', agentName: 'Ada', cwd: '/', at: 0 });
  const { agent } = plainChat;
  const embedding = {
    ...plainChat,
    agent: { ...agent, capabilities: { ...agent.capabilities, embeddedContext: true } },
  };

  // A folder each: VS Code may still hold the document of the test before.
  beforeEach(() => {
    file = path.join(mkdtempSync(path.join(root, 'test-')), 'retry.ts');
    writeFileSync(file, 'one\ntwo\nthree\nfour\n');
  });
  afterEach(closeAllEditors);
  after(remove);

  it('is the selected lines, as they were when attached', async () => {
    const editor = await open(file);
    // Ends before the first character of line 4: that line is not selected.
    editor.selection = new vscode.Selection(1, 1, 3, 0);
    const attachment = attachments.ofSelection(editor);
    assert.equal(attachment.label, 'retry.ts:2-3');
    assert.deepEqual(attachment.lines, { start: 2, end: 3 });
    await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    const uri = `${vscode.Uri.file(file).toString()}#L2:3`;
    assert.deepEqual(await attachments.resolve(attachment, embedding), [
      { type: 'resource', resource: { uri, text: 'two\nthree' } },
    ]);
    const [plain] = await attachments.resolve(attachment, plainChat);
    assert.ok(plain?.type === 'text');
    assert.match(plain.text, /retry\.ts, lines 2 to 3:\n```\ntwo\nthree\n```$/);
  });

  it('is what was said before the turn that runs', async () => {
    const attachment = { id: 'x', kind: 'conversation', label: 'Before', title: 'Before' } as const;
    const said = (id: string, text: string) => ({
      id,
      prompt: { id, text, attachments: [] },
      parts: [{ kind: 'text', id: `${id}t`, text: `Re: ${text}` } as const],
      startedAt: 0,
    });
    const chat = { ...plainChat, turns: [said('1', 'Hello')], activeTurn: said('2', 'Now') };
    const [block] = await attachments.resolve(attachment, chat);
    assert.ok(block?.type === 'text');
    assert.match(block.text, /^Before:\n```\n[^]*## You\n\nHello\n\n## Ada\n\nRe: Hello\n\n```$/);
    assert.ok(!block.text.includes('Now'));
  });

  it('is the line of the caret when nothing is selected', async () => {
    const editor = await open(file);
    editor.selection = new vscode.Selection(2, 2, 2, 2);
    assert.equal(attachments.ofSelection(editor).label, 'retry.ts:3');
  });

  it('is a file as it is when the message is sent', async () => {
    const uri = vscode.Uri.file(file);
    const attachment = attachments.ofFile(uri);
    const editor = await open(file);
    await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'unsaved '));
    assert.deepEqual(await attachments.resolve(attachment, embedding), [
      {
        type: 'resource',
        resource: { uri: uri.toString(), text: 'unsaved one\ntwo\nthree\nfour\n' },
      },
    ]);
    assert.deepEqual(await attachments.resolve(attachment, plainChat), [
      { type: 'resource_link', uri: uri.toString(), name: 'retry.ts' },
    ]);
  });

  it('says so when the file is gone', async () => {
    const attachment = attachments.ofFile(vscode.Uri.file(path.join(root, 'gone.ts')));
    await assert.rejects(attachments.resolve(attachment, embedding), FileError);
  });

  it('is an image of the workspace, which shows what it is', async () => {
    const image = path.join(path.dirname(file), 'dot.png');
    writeFileSync(image, 'picture');
    const data = (name: string) =>
      attachments.imageFileData(attachments.ofFile(vscode.Uri.file(name)));
    assert.equal(await data(image), Buffer.from('picture').toString('base64'));
    assert.equal(await data(file), undefined);
    assert.equal(await data(path.join(root, 'gone.png')), undefined);
  });

  it('is what was said in another chat, as it was then', async () => {
    const turn = {
      id: '1',
      prompt: { id: '1', text: 'Hello', attachments: [] },
      parts: [],
      startedAt: 0,
    };
    const attachment = await attachments.ofConversation(
      { ...plainChat, turns: [turn] },
      'With Ada',
    );
    const [block] = await attachments.resolve(attachment, plainChat);
    assert.ok(block?.type === 'text');
    assert.match(block.text, /^With Ada:\n```\n[^]*Hello/);
  });

  it('is offered: what is selected, else the file, as the setting says', async () => {
    const editor = await open(file);
    const selection = new vscode.Selection(1, 0, 2, 3);
    const caret = new vscode.Selection(0, 0, 0, 0);
    const context = new EditorContext();
    const part = { label: 'retry.ts:2-3', hasSelection: true };
    const whole = { label: 'retry.ts', hasSelection: false };
    const config = vscode.workspace.getConfiguration('parley');
    try {
      for (const [scope, ofCaret, ofSelection] of [
        [undefined, whole, part],
        ['selection', undefined, part],
        ['off', undefined, undefined],
        ['nonsense', whole, part],
      ] as const) {
        await config.update('context.activeEditor', scope, vscode.ConfigurationTarget.Global);
        editor.selection = caret;
        assert.deepEqual(context.view(), ofCaret, scope);
        editor.selection = selection;
        assert.deepEqual(context.view(), ofSelection, scope);
      }
    } finally {
      await config.update('context.activeEditor', undefined, vscode.ConfigurationTarget.Global);
      context.dispose();
    }
  });

  it('takes code back at the caret, as one undo step', async () => {
    const editor = await open(file);
    editor.selection = new vscode.Selection(0, 0, 0, 3);
    const context = new EditorContext();
    await insertAtCursor('1\n1.5', context);
    assert.equal(editor.document.getText(), '1\n1.5\ntwo\nthree\nfour\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\nfour\n');
    context.dispose();
  });
});
