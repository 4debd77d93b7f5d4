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
import { parseLink } from '../../src/vscode/links';
import { closeAllEditors, logger, open, temporaryFolder } from './support';

describe('context of a message', () => {
  const { root, remove } = temporaryFolder();
  let file = '';
  const files = new VscodeTextFiles(logger);
  let count = 0;
  const attachments = new ContextAttachments(
    name => files.peek(name),
    () => `id${++count}`,
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

describe('links in prose', () => {
  const cases: readonly (readonly [string, ReturnType<typeof parseLink>])[] = [
    ['https://example.org/a?b#c', { kind: 'web', url: 'https://example.org/a?b#c' }],
    ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
    ['src/a.ts:12', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['src/a.ts:12:3', { kind: 'file', path: 'src/a.ts', line: 12, column: 3 }],
    ['/w/a.ts#L3-L9', { kind: 'file', path: '/w/a.ts', line: 3, endLine: 9 }],
    ['file:///w/a%20b.ts#L3', { kind: 'file', path: '/w/a b.ts', line: 3 }],
    ['a%20b.ts', { kind: 'file', path: 'a b.ts' }],
    ['Makefile:12', { kind: 'file', path: 'Makefile', line: 12 }],
    ['command:workbench.action.quit', { kind: 'refused' }],
    ['vscode://extension/x', { kind: 'refused' }],
    ['javascript:alert(1)', { kind: 'refused' }],
    ['data:text/html,x', { kind: 'refused' }],
    ['#heading', { kind: 'refused' }],
    ['', { kind: 'refused' }],
  ];
  for (const [href, target] of cases) {
    it(`"${href}" is ${target.kind}`, () => assert.deepEqual(parseLink(href), target));
  }
});
