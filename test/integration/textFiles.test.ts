import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileError } from '../../src/session/ports';
import type { FileErrorReason, FileScope } from '../../src/session/ports';
import { MAX_FILE_BYTES, VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { closeAllEditors, logger, open, temporaryFolder, until } from './support';

describe('text files', () => {
  const { root, remove } = temporaryFolder();
  const scope: FileScope = { roots: [root] };
  const files = new VscodeTextFiles(logger);
  const at = (name: string) => path.join(root, name);
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
    return at(name);
  };
  const read = async (file: string) => (await files.read(file, scope)).text;
  const write = (file: string, content: string) => files.write(file, content, scope);
  const refused = (work: Promise<unknown>, reason: FileErrorReason) =>
    assert.rejects(work, (error: unknown) => {
      assert.ok(error instanceof FileError, String(error));
      assert.equal(error.reason, reason);
      return true;
    });

  afterEach(closeAllEditors);
  after(() => {
    files.dispose();
    remove();
  });

  describe('reading', () => {
    it('reads what is on disk', async () => {
      assert.equal(await read(put('plain.txt', 'one\ntwo\n')), 'one\ntwo\n');
    });

    it('reads unsaved text', async () => {
      const file = put('unsaved.txt', 'saved\n');
      const editor = await open(file);
      await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'un'));
      assert.equal(await read(file), 'unsaved\n');
    });

    it('reads the unsaved cells of a notebook, and writes nothing beneath them', async () => {
      const cell = { cell_type: 'code', source: ['saved = 1'], metadata: {}, outputs: [] };
      const content = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 2 };
      const saved = JSON.stringify(content);
      const file = put('book.ipynb', saved);
      assert.equal(await read(file), saved);
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
      await vscode.window.showNotebookDocument(notebook);
      const edit = new vscode.WorkspaceEdit();
      const kind = vscode.NotebookCellKind.Code;
      const added = new vscode.NotebookCellData(kind, 'unsaved = 2', 'python');
      edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(1, [added])]);
      assert.ok(await vscode.workspace.applyEdit(edit));
      await until(() => notebook.isDirty, [vscode.workspace.onDidChangeNotebookDocument]);
      const text = await read(file);
      assert.match(text, /saved = 1/);
      assert.match(text, /unsaved = 2/);
      await refused(write(file, '{}'), 'changedByUser');
      assert.equal(readFileSync(file, 'utf8'), saved);
      assert.ok(await notebook.save());
      assert.deepEqual(JSON.parse(await read(file)), JSON.parse(text));
      await write(file, saved);
      assert.equal(readFileSync(file, 'utf8'), saved);
    });

    it('reads the disk when an open document is clean and behind', async () => {
      const file = put('behind.txt', 'old\n');
      await open(file);
      writeFileSync(file, 'new\n');
      assert.equal(await read(file), 'new\n');
    });

    it('reads UTF-8 with a mark, UTF-16 and Latin-1 as text', async () => {
      assert.equal(await read(put('bom.txt', '\uFEFFgrün\n')), 'grün\n');
      const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün\n', 'utf16le')]);
      assert.equal(await read(put('utf16.txt', utf16)), 'grün\n');
      assert.equal(await read(put('latin1.txt', Buffer.from('grün\n', 'latin1'))), 'grün\n');
    });

    it('says why it cannot', async () => {
      mkdirSync(at('folder'), { recursive: true });
      symlinkSync('/etc', at('escape'));
      await refused(read('plain.txt'), 'relativePath');
      await refused(read('/etc/hostname'), 'outsideWorkspace');
      await refused(read(at('escape/hostname')), 'outsideWorkspace');
      await refused(read(at('missing.txt')), 'notFound');
      await refused(read(at('plain.txt/under')), 'notFound');
      await refused(read(at('folder')), 'isDirectory');
      await refused(read(put('binary', Buffer.from([1, 0, 2, 255]))), 'notText');
      await refused(read(put('big.txt', Buffer.alloc(MAX_FILE_BYTES + 1, 97))), 'tooLarge');
    });
  });

  describe('writing', () => {
    it('makes a file and the folders it needs', async () => {
      await write(at('a/b/new.txt'), 'hello\n');
      assert.equal(readFileSync(at('a/b/new.txt'), 'utf8'), 'hello\n');
      assert.ok(!vscode.workspace.textDocuments.some(document => document.isDirty));
    });

    it('changes an open, clean document on disk without making it dirty', async () => {
      const file = put('clean.ts', 'let a = 1;\n');
      const { document } = await open(file);
      await write(file, 'let a = 2;\n');
      assert.equal(readFileSync(file, 'utf8'), 'let a = 2;\n');
      await until(
        () => document.getText() === 'let a = 2;\n',
        [vscode.workspace.onDidChangeTextDocument],
      );
      assert.equal(document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'let a = 1;\n');
    });

    it('changes an unsaved document through the editor, so that one undo takes it back', async () => {
      const file = put('dirty.txt', 'one\ntwo\nthree\n');
      const editor = await open(file);
      await editor.edit(edit => edit.insert(new vscode.Position(2, 5), '!'));
      await files.write(file, 'one\n2\nthree!\n', scope, await files.read(file, scope));
      assert.equal(readFileSync(file, 'utf8'), 'one\n2\nthree!\n');
      assert.equal(editor.document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'one\ntwo\nthree!\n');
    });

    it('writes exactly the text although saving runs a formatter', async () => {
      const file = put('formatted.txt', 'a\n');
      const shout = vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/formatted.txt' },
        {
          provideDocumentFormattingEdits: document => [
            vscode.TextEdit.insert(
              new vscode.Position(document.lineCount - 1, 0),
              '// formatted\n',
            ),
          ],
        },
      );
      const config = vscode.workspace.getConfiguration('editor');
      await config.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
      try {
        const editor = await open(file);
        await editor.edit(edit => edit.insert(new vscode.Position(0, 1), 'b'));
        const known = await files.read(file, scope);
        await files.write(file, 'abc\n', scope, known);
        assert.equal(readFileSync(file, 'utf8'), 'abc\n');
      } finally {
        shout.dispose();
        await config.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('keeps line endings, mark and encoding', async () => {
      const crlf = put('crlf.txt', 'one\r\ntwo\r\n');
      await write(crlf, 'one\n2\n');
      assert.equal(readFileSync(crlf, 'utf8'), 'one\r\n2\r\n');
      const bom = put('bom2.txt', '\uFEFFone\n');
      await write(bom, 'grün\n');
      assert.equal(readFileSync(bom, 'utf8'), '\uFEFFgrün\n');
      const latin1 = put('latin2.txt', Buffer.from('grün\n', 'latin1'));
      await write(latin1, 'grün und blau\n');
      assert.deepEqual(readFileSync(latin1), Buffer.from('grün und blau\n', 'latin1'));
      const utf16 = put(
        'utf16b.txt',
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\n', 'utf16le')]),
      );
      await write(utf16, 'ä\n');
      assert.deepEqual(
        readFileSync(utf16),
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ä\n', 'utf16le')]),
      );
    });

    it('rather changes the encoding than lose characters', async () => {
      const file = put('latin3.txt', Buffer.from('grün\n', 'latin1'));
      await write(file, 'grün 🙂\n');
      assert.equal(readFileSync(file, 'utf8'), 'grün 🙂\n');
    });

    it('keeps CRLF of an unsaved document', async () => {
      const file = put('dirtyCrlf.txt', 'one\r\ntwo\r\n');
      const editor = await open(file);
      await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'x'));
      await files.write(file, 'one\n2\n', scope, await files.read(file, scope));
      assert.equal(readFileSync(file, 'utf8'), 'one\r\n2\r\n');
    });

    it('carries out requests for one path in order', async () => {
      const file = at('order.txt');
      const texts = Array.from({ length: 20 }, (_, index) => `${index}\n`.repeat(index + 1));
      const reads: string[] = [];
      await Promise.all(
        texts.flatMap(text => [write(file, text), read(file).then(now => reads.push(now))]),
      );
      assert.deepEqual(reads, texts);
      assert.equal(readFileSync(file, 'utf8'), texts.at(-1));
    });

    it('refuses a read-only file and leaves it as it is', async () => {
      const file = put('readonly.txt', 'keep\n');
      chmodSync(file, 0o444);
      await refused(write(file, 'changed\n'), 'readOnly');
      assert.equal(readFileSync(file, 'utf8'), 'keep\n');
      assert.equal(statSync(file).mode & 0o777, 0o444);
    });

    it('refuses what is no text file of the workspace', async () => {
      mkdirSync(at('folder2'), { recursive: true });
      symlinkSync('/tmp/parley-must-not-exist', at('dangling'));
      const binary = put('binary2', Buffer.from([1, 0, 2]));
      await refused(write('x.txt', ''), 'relativePath');
      await refused(write('/etc/parley', ''), 'outsideWorkspace');
      await refused(write(at('.git/config'), ''), 'ownedByGit');
      await refused(write(at('sub/.GIT/hooks/post-commit'), ''), 'ownedByGit');
      await refused(write(at('dangling'), ''), 'outsideWorkspace');
      await refused(write(at('folder2'), ''), 'isDirectory');
      await refused(write(binary, 'text'), 'notText');
      assert.deepEqual(readFileSync(binary), Buffer.from([1, 0, 2]));
    });

    it('tells nothing about the machine', async () => {
      await assert.rejects(read(at('missing.txt')), (error: unknown) => {
        assert.ok(error instanceof Error);
        assert.equal(error.message, `The file does not exist: ${at('missing.txt')}`);
        return true;
      });
    });
  });
});
