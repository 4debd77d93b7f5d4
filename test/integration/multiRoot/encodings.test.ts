import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { VscodeTextFiles } from '../../../src/vscode/files/vscodeTextFiles';
import { AgentAtWork, workspaceRoots } from '../agentAtWork';
import { closeAllEditors, logger, open, temporaryFolder, until } from '../support';

/** Letters that windows-1252 has where Latin-1 has none. */
const LINES = [
  '“Grüße”',
  ...Array.from({ length: 18 }, (_, index) => `line ${index}`),
  'kostet 5 €',
];
const TEXT = LINES.map(line => `${line}\r\n`).join('');
const first = (text: string): string => text.replace('“Grüße”', '“Schöne Grüße”');
const last = (text: string): string => text.replace('5 €', '7 €');

const MARKS = { utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff], utf8: [0xef, 0xbb, 0xbf] } as const;

function windows1252(text: string): Buffer {
  const places: Readonly<Record<string, string>> = { '“': '\x93', '”': '\x94', '€': '\x80' };
  return Buffer.from(
    text.replace(/[“”€]/g, letter => places[letter] ?? ''),
    'latin1',
  );
}

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-16 LE': text => Buffer.concat([Buffer.from(MARKS.utf16le), Buffer.from(text, 'utf16le')]),
  'UTF-16 BE': text =>
    Buffer.concat([Buffer.from(MARKS.utf16be), Buffer.from(text, 'utf16le').swap16()]),
  'UTF-8 with a mark': text => Buffer.concat([Buffer.from(MARKS.utf8), Buffer.from(text)]),
  'windows-1252': windows1252,
};

describe('files in other encodings', () => {
  const folder = (name: string): string =>
    workspaceRoots().find(root => path.basename(root) === name) ?? '';
  /** Of the two folders, only here is `files.encoding` another one. */
  const root = folder('alpha');
  const usual = folder('plain');
  /** Another one for each test: VS Code keeps what a closed document said for a while. */
  let name = '';
  let tests = 0;
  let storage: ReturnType<typeof temporaryFolder>;
  let agent: AgentAtWork;

  const setEncoding = (value: string | undefined): Thenable<void> =>
    vscode.workspace
      .getConfiguration('files', vscode.Uri.file(root))
      .update('encoding', value, vscode.ConfigurationTarget.WorkspaceFolder);
  const bytes = (): Buffer => readFileSync(agent.file(name));
  const begin = async (where: string, content: Buffer): Promise<void> => {
    agent = await AgentAtWork.open(where, storage.root, [root, usual]);
    writeFileSync(agent.file(name), content);
    await agent.tracking.flush();
    await agent.endAndWait();
    await agent.start();
  };
  /** As a program does it that knows nothing of the editor. */
  const writeToDisk = (content: Buffer): Promise<void> =>
    agent.program(
      "require('node:fs').writeFileSync(process.argv[1], Buffer.from(process.argv[2], 'base64'))",
      agent.file(name),
      content.toString('base64'),
    );

  before(() => setEncoding('windows1252'));
  beforeEach(() => {
    name = `a${++tests}.txt`;
    storage = temporaryFolder();
  });
  afterEach(async () => {
    await agent.clear();
    agent.dispose();
    await closeAllEditors();
    storage.remove();
    rmSync(agent.file(name), { force: true });
  });
  after(async () => {
    await setEncoding(undefined);
    for (const left of readdirSync(root)) rmSync(path.join(root, left), { recursive: true });
  });

  for (const [encoding, encode] of Object.entries(ENCODINGS)) {
    for (const way of ['through the editor', 'straight to disk'] as const) {
      for (const isOpen of [false, true]) {
        it(`${encoding}, written ${way}${isOpen ? ' while it is open' : ''}: undo is exact`, async () => {
          await begin(root, encode(TEXT));
          const document = isOpen ? (await open(agent.file(name))).document : undefined;
          assert.equal(document?.getText() ?? TEXT, TEXT);
          // Agents end lines with LF, whatever the file has.
          const changed = last(first(TEXT));
          if (way === 'straight to disk') await writeToDisk(encode(changed));
          else await agent.writeThrough(name, changed.replaceAll('\r\n', '\n'));
          await agent.hunks(name, 2);
          assert.deepEqual(bytes(), encode(changed));
          await agent.undoHunk(name, 1);
          assert.deepEqual(bytes(), encode(first(TEXT)));
          await agent.undoAll();
          assert.deepEqual(bytes(), encode(TEXT));
          if (!document) return;
          const isBack = () => document.getText() === TEXT;
          await until(isBack, [vscode.workspace.onDidChangeTextDocument]);
          assert.equal(document.isDirty, false);
        });
      }
    }

    for (const where of ['that encoding', 'UTF-8'] as const) {
      it(`${encoding}, made UTF-8 by the agent where ${where} is usual: undo all is exact`, async () => {
        await begin(where === 'UTF-8' ? usual : root, encode(TEXT));
        await writeToDisk(Buffer.from(last(TEXT)));
        await agent.pending(name);
        await agent.undoAll();
        assert.deepEqual(bytes(), encode(TEXT));
      });
    }
  }

  it('an encoding that the user has chosen since stays', async () => {
    await begin(usual, ENCODINGS['UTF-16 LE']?.(TEXT) ?? Buffer.alloc(0));
    await agent.writeThrough(name, last(TEXT));
    await agent.hunks(name, 1);
    await agent.endAndWait();
    const uri = vscode.Uri.file(agent.file(name));
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'windows1252' });
    assert.equal(document.encoding, 'windows1252');
    writeFileSync(agent.file(name), windows1252(last(TEXT)));
    const isRead = () => document.getText() === last(TEXT);
    await until(isRead, [vscode.workspace.onDidChangeTextDocument]);
    await agent.undoAll();
    assert.deepEqual(bytes(), windows1252(TEXT));
  });

  it('a new file is in the encoding of its folder', async () => {
    await begin(root, windows1252(TEXT));
    rmSync(agent.file(name));
    await agent.writeThrough(name, '5 €\n');
    assert.deepEqual(bytes(), windows1252('5 €\n'));
    const files = new VscodeTextFiles(logger);
    assert.equal((await files.read(agent.file(name), { roots: [root] })).text, '5 €\n');
  });
});
