import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { initialSession } from '../../src/session/state/initialSession';
import type { Chats } from '../../src/session/chats';
import type { Attachment, SessionState } from '../../src/session/state/state';
import type { MentionItem } from '../../src/shared/queries';
import { attachUris } from '../../src/vscode/context/attachUris';
import { ContextAttachments } from '../../src/vscode/context/contextAttachments';
import { EditorContext } from '../../src/vscode/context/editorContext';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { Mentions } from '../../src/vscode/mentions/mentions';
import { eventually } from '../workbench/eventually';
import { closeAllEditors, logger, open } from './support';

const plain = initialSession({ chatId: 'this', agentName: 'Ada', cwd: '/', at: 0 });
const { agent } = plain;
const embedding: SessionState = {
  ...plain,
  agent: { ...agent, capabilities: { ...agent.capabilities, embeddedContext: true } },
};
const said = { id: 'p', text: 'What is a lamp?', attachments: [] };
const other: SessionState = {
  ...plain,
  chatId: 'other',
  title: 'About lamps',
  turns: [{ id: 't', prompt: said, parts: [], startedAt: 0 }],
};

describe('mentions in a workspace', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const made = path.join(root, 'made');
  const files = new VscodeTextFiles(logger);
  const editor = new EditorContext();
  let count = 0;
  const attachments = new ContextAttachments(
    name => files.peek(name),
    () => `id${++count}`,
    () => other,
    text => text,
  );
  const chats = {
    all: [plain, other].map(state => ({ chatId: state.chatId, store: { state } })),
  } as unknown as Chats;
  let mentions: Mentions;

  beforeEach(() => {
    mentions = new Mentions({ chats, editor, attachments, logger });
  });
  afterEach(async () => {
    mentions.dispose();
    rmSync(made, { recursive: true, force: true });
    await closeAllEditors();
  });
  after(() => editor.dispose());

  const find = async (text: string) =>
    (await mentions.find(text, 'this')).flatMap(({ items }) => items);
  const named = async (text: string, mention: string): Promise<MentionItem> => {
    const items = await find(text);
    const item = items.find(each => each.mention === mention);
    assert.ok(item, `${mention} among ${items.map(each => each.mention).join(' ')}`);
    return item;
  };
  const sent = async (item: MentionItem, chat: SessionState) => {
    const attachment = mentions.attachment(item.id);
    assert.equal(attachment?.mention, item.mention);
    return attachments.resolve(attachment, chat);
  };
  const uri = (name: string) => vscode.Uri.file(path.join(root, name)).toString();

  it('are files, sent as their text or as a link, as the agent takes them', async () => {
    const item = await named('gre', '@src/greeting.js');
    assert.deepEqual([item.name, item.detail, item.hits], ['greeting.js', 'src', [0, 1, 2]]);
    const [embedded] = await sent(item, embedding);
    assert.ok(embedded?.type === 'resource' && 'text' in embedded.resource);
    assert.equal(embedded.resource.uri, uri('src/greeting.js'));
    assert.match(embedded.resource.text, /export function greet/);
    assert.deepEqual(await sent(item, plain), [
      { type: 'resource_link', uri: uri('src/greeting.js'), name: 'greeting.js' },
    ]);
  });

  it('are folders, sent as links', async () => {
    const item = await named('sr', '@src/');
    assert.deepEqual(await sent(item, embedding), [
      { type: 'resource_link', uri: uri('src'), name: 'src' },
    ]);
  });

  it('are the open files before anything is typed, that of the editor first', async () => {
    for (const name of ['README.md', 'package.json']) {
      const file = vscode.Uri.file(path.join(root, name));
      await vscode.window.showTextDocument(file, { preview: false });
    }
    const [first, second] = await find('');
    assert.deepEqual([first?.mention, second?.mention], ['@package.json', '@README.md']);
  });

  it('are files that came a moment ago, and not those that went', async () => {
    await find('greet');
    mkdirSync(made);
    writeFileSync(path.join(made, 'lamp.ts'), '');
    await eventually('lamp.ts is found', async () =>
      (await find('lamp')).some(each => each.mention === '@made/lamp.ts'),
    );
    rmSync(made, { recursive: true });
    await eventually(
      'lamp.ts is gone',
      async () => !(await find('lamp')).some(each => each.mention === '@made/lamp.ts'),
    );
  });

  it('are symbols, sent as the lines they are on', async () => {
    await open(path.join(root, 'src/greeting.js'));
    const provider = vscode.languages.registerDocumentSymbolProvider('javascript', {
      provideDocumentSymbols: document => {
        const at = document.getText().indexOf('export function farewell');
        const start = document.positionAt(at);
        const range = new vscode.Range(start, start.translate(2, 1));
        return [
          new vscode.DocumentSymbol('farewell(name)', '', vscode.SymbolKind.Function, range, range),
        ];
      },
    });
    try {
      const groups = await mentions.findSlow('farew');
      const item = groups
        .flatMap(({ items }) => items)
        .find(each => each.mention === '@src/greeting.js#farewell');
      assert.ok(item);
      const [block] = await sent(item, embedding);
      assert.ok(block?.type === 'resource' && 'text' in block.resource);
      assert.match(block.resource.text, /^export function farewell[^]*}$/);
      assert.match(block.resource.uri, /greeting\.js#L\d+:\d+$/);
      const [text] = await sent(item, plain);
      assert.ok(text?.type === 'text');
      assert.match(text.text, /^farewell in src\/greeting\.js, lines \d+ to \d+:\n```\nexport/);
    } finally {
      provider.dispose();
    }
  });

  it('are other chats in which something was said', async () => {
    const item = await named('lamps', '@chat:About lamps');
    const [block] = await sent(item, plain);
    assert.ok(block?.type === 'text');
    assert.match(block.text, /^Chat: About lamps:\n```\n[^]*What is a lamp\?/);
  });

  it('are web pages, sent as links', async () => {
    const item = await named('https://example.com/a', '@https://example.com/a');
    assert.deepEqual(await sent(item, embedding), [
      { type: 'resource_link', uri: 'https://example.com/a', name: 'example.com' },
    ]);
  });

  it('are the place of code that was pasted, as it is selected or where only one place has it', async () => {
    const editor = await open(path.join(root, 'src/greeting.js'));
    const text = editor.document.getText();
    const code = text.slice(text.indexOf('export function greet'), text.indexOf('/**', 40));
    assert.equal(mentions.pasted('not\nthere'), undefined);
    const only = mentions.pasted(code);
    assert.match(only?.mention ?? '', /^@src\/greeting\.js:\d+-\d+$/);
    // The lines of a comment are there twice.
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    const lines = mentions.pasted(`${text.split('\n')[0] ?? ''}\n`);
    assert.equal(lines?.mention, '@src/greeting.js:1');
    const [block] = await sent(lines, embedding);
    assert.ok(block?.type === 'resource' && 'text' in block.resource);
    assert.equal(block.resource.text, text.split('\n')[0]);
  });

  it('that are dropped are files and folders of the workspace, open files and web pages', async () => {
    const labels: string[] = [];
    const chat = { attach: ({ kind, label }: Attachment) => void labels.push(`${kind} ${label}`) };
    await attachUris(
      [uri('src'), uri('README.md'), 'https://example.com/x', 'file:///etc/hostname', 'command:x'],
      attachments,
      chat,
    );
    assert.deepEqual(labels, ['folder src', 'file README.md', 'link example.com']);
  });

  it('that are dropped lead into the workspace, whatever their addresses seem to say', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
    try {
      writeFileSync(path.join(outside, 'secret'), '');
      mkdirSync(made);
      symlinkSync(outside, path.join(made, 'link'));
      symlinkSync(path.join(outside, 'secret'), path.join(made, 'name'));
      const up = path.relative(root, path.join(outside, 'secret')).replaceAll(path.sep, '/');
      const workspace = vscode.Uri.file(root).toString();
      const dots = [up, `src/../${up}`, up.replaceAll('..', '%2e%2e'), up.replaceAll('/', '%2f')];
      const labels: string[] = [];
      await attachUris(
        [...dots.map(name => `${workspace}/${name}`), uri('made/link/secret'), uri('made/name')],
        attachments,
        { attach: ({ label }: Attachment) => void labels.push(label) },
      );
      assert.deepEqual(labels, []);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('are only what was offered', () => {
    assert.equal(mentions.attachment('nothing'), undefined);
  });
});
