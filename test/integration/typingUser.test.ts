import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { FileError, type KnownText } from '../../src/session/ports';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { closeAllEditors, logger, open, temporaryFolder, until } from './support';

/** The pace of the agent's writes, and of the user's keys (a key that is held), in milliseconds. */
const WRITE_EVERY = 40;
const KEY_EVERY = 25;
const WRITES = 50;
const KEYS = 'the quick brown fox jumps over the lazy dog and types on and on ';
const TOP = 'user: \n';
const BODY = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('');

describe('a typing user and a writing agent', () => {
  const { root, remove } = temporaryFolder();
  const scope = { roots: [root] };
  const files = new VscodeTextFiles(logger);
  let count = 0;
  const put = (text: string): string => {
    const file = path.join(root, `typed-${++count}.txt`);
    writeFileSync(file, text);
    return file;
  };
  const changedByUser = (words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof FileError, String(error));
    assert.equal(error.reason, 'changedByUser', error.message);
    assert.match(error.message, words);
    return true;
  };
  const type = (text: string) => vscode.commands.executeCommand('type', { text });
  const caret = (line: number, character: number): void => {
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(line, character, line, character);
  };

  afterEach(closeAllEditors);
  after(() => {
    files.dispose();
    remove();
  });

  for (const readsEach of [true, false]) {
    it(`lose nothing to each other${readsEach ? '' : ', also when the agent reads once'}`, async function () {
      this.timeout(120_000);
      const file = put(TOP + BODY);
      const { document } = await open(file);
      caret(0, 'user: '.length);
      const isWritten = new Set<string>();
      const refused: string[] = [];
      let isDone = false;
      const agent = async (): Promise<void> => {
        let known: KnownText = await files.read(file, scope);
        for (let index = 0; index < WRITES; index++) {
          if (readsEach) known = await files.read(file, scope);
          const line = `agent ${index}\n`;
          const at = known.text.indexOf(`line ${index % 40}\n`);
          const content = known.text.slice(0, at) + line + known.text.slice(at);
          try {
            known = await files.write(file, content, scope, known);
            isWritten.add(line);
          } catch (error) {
            assert.ok(error instanceof FileError, String(error));
            // On a slow machine the editor may not have seen the write before.
            if (error.reason !== 'changedOnDisk') changedByUser(/Read the file again/)(error);
            refused.push(line);
            known = await files.read(file, scope);
          }
          await setTimeout(WRITE_EVERY);
        }
      };
      let typed = '';
      const user = async (): Promise<void> => {
        for (let index = 0; !isDone; index++) {
          const key = KEYS[index % KEYS.length] ?? ' ';
          await type(key);
          typed += key;
          await setTimeout(KEY_EVERY);
        }
      };
      await Promise.all([agent().finally(() => (isDone = true)), user()]);
      await document.save();
      const [first] = document.getText().split('\n');
      assert.equal(first, `user: ${typed}`, 'each key is there, in order');
      const text = readFileSync(file, 'utf8');
      assert.equal(text, document.getText());
      for (const line of isWritten) assert.ok(text.includes(line), `${line.trim()} is in the file`);
      assert.equal(isWritten.size + refused.length, WRITES);
      assert.ok(isWritten.size > WRITES / 2, `${refused.length} were refused`);
      for (const line of BODY.split('\n')) assert.ok(text.includes(line));
    });
  }

  it('does not save what the agent writes with a formatter that the user has on', async () => {
    const file = put('a\nb\n');
    const { document } = await open(file);
    const spaces = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: `**/${path.basename(file)}` },
      {
        provideDocumentFormattingEdits: () => [
          vscode.TextEdit.insert(new vscode.Position(0, 0), ' '),
        ],
      },
    );
    const config = vscode.workspace.getConfiguration('editor');
    await config.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    try {
      caret(0, 1);
      const known = await files.read(file, scope);
      await type('!');
      await files.write(file, 'a\nb\nc\n', scope, known);
      assert.equal(readFileSync(file, 'utf8'), 'a!\nb\nc\n');
      assert.equal(document.getText(), 'a!\nb\nc\n');
    } finally {
      spaces.dispose();
      await config.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('are told when both changed one line, and nothing of either is lost', async () => {
    const file = put('one\ntwo\nthree\n');
    const { document } = await open(file);
    const known = await files.read(file, scope);
    caret(1, 3);
    await type('!');
    await assert.rejects(
      files.write(file, 'one\nzwei\nthree\n', scope, known),
      changedByUser(/^The user changed typed-\d+\.txt meanwhile, at line 2/),
    );
    assert.equal(document.getText(), 'one\ntwo!\nthree\n');
    const again = await files.read(file, scope);
    assert.equal(again.text, 'one\ntwo!\nthree\n');
    await files.write(file, 'one\nzwei!\nthree\n', scope, again);
    assert.equal(readFileSync(file, 'utf8'), 'one\nzwei!\nthree\n');
  });

  it('are told when the user takes back what the agent just wrote', async () => {
    const file = put('one\ntwo\nthree\n');
    await open(file);
    const known = await files.read(file, scope);
    const written = await files.write(file, 'one\ntwo\nnew\nthree\n', scope, known);
    const document = vscode.window.activeTextEditor?.document;
    await until(
      () => document?.lineAt(2).text === 'new',
      [vscode.workspace.onDidChangeTextDocument],
    );
    await vscode.commands.executeCommand('undo');
    assert.equal(document?.getText(), 'one\ntwo\nthree\n');
    await assert.rejects(
      files.write(file, 'one\ntwo\nnew\nthree\nmore\n', scope, written),
      changedByUser(/lines that you wrote just before, .* taken back\. Read the file again/),
    );
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  });

  it('keep what the user typed, saved and closed before the agent wrote', async () => {
    const file = put('one\ntwo\nthree\n');
    const { document } = await open(file);
    const known = await files.read(file, scope);
    caret(0, 3);
    await type('!');
    await document.save();
    await closeAllEditors();
    await files.write(file, 'one\ntwo\nthree\nfour\n', scope, known);
    assert.equal(readFileSync(file, 'utf8'), 'one!\ntwo\nthree\nfour\n');
  });
});
