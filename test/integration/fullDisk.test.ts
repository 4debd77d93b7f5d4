import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf, Blobs } from '../../src/review/store/blobs';
import { FileError } from '../../src/session/ports';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { EditorUris } from '../../src/vscode/review/diff/editorUris';
import { VscodeEditorFiles } from '../../src/vscode/files/editorFiles';
import { ran } from '../workbench/ran';
import { logger, temporaryFolder } from './support';

const KB = 1024;
const text = (bytes: number): string => 'x'.repeat(bytes - 1) + '\n';
const content = (bytes: number) => ({ kind: 'text', text: text(bytes) }) as const;

describe('a file that cannot be written', () => {
  const { root, remove } = temporaryFolder();
  const uris = new EditorUris();
  const files = new VscodeEditorFiles(uris, new Blobs(path.join(root, 'blobs')));
  const texts = new VscodeTextFiles(logger);
  const at = (...names: readonly string[]): string => path.join(root, ...names);
  const says = (work: Promise<unknown>, message: RegExp): Promise<void> =>
    assert.rejects(work, (error: unknown) => {
      assert.ok(error instanceof FileError, String(error));
      assert.match(error.message, message);
      return true;
    });
  const put = (file: string, bytes: number): string => {
    writeFileSync(file, text(bytes));
    return hashOf(readFileSync(file));
  };

  after(() => {
    files.dispose();
    uris.dispose();
    remove();
  });

  describe('because the disk is full', () => {
    const disk = at('disk');
    let isMounted = false;

    before(function () {
      mkdirSync(disk);
      const mount = ['mount', '-t', 'tmpfs', '-o', `size=${64 * KB}`, 'tmpfs', disk] as const;
      isMounted = ran(...mount) || ran('sudo', '-n', ...mount);
      // Only an administrator of Linux can have a small disk.
      if (!isMounted) this.skip();
    });
    after(() => {
      if (isMounted && !ran('umount', disk)) ran('sudo', '-n', 'umount', disk);
    });

    it('says so and is what it was, whoever writes', async () => {
      const file = path.join(disk, 'a.txt');
      const before = put(file, 8 * KB);
      put(path.join(disk, 'filler'), 48 * KB);
      await says(files.write(file, content(40 * KB)), /^The disk is full\. Free some space/);
      const write = texts.write(file, text(40 * KB), { roots: [disk] });
      await says(write, /^The disk is full, so the file was left as it is: /);
      assert.equal(hashOf(readFileSync(file)), before);
      const made = path.join(disk, 'new.txt');
      await says(files.write(made, content(40 * KB)), /^The disk is full/);
      await says(texts.write(made, text(40 * KB), { roots: [disk] }), /^The disk is full/);
      assert.equal(existsSync(made), false);
      // What fits is written.
      await files.write(file, content(9 * KB));
      assert.equal(readFileSync(file, 'utf8'), text(9 * KB));
    });
  });

  it('because it is read-only: says what to do, and is what it was', async () => {
    const file = at('locked.txt');
    const before = put(file, KB);
    chmodSync(file, 0o444);
    await says(files.write(file, content(2 * KB)), /^The file is read-only\. Make it writable/);
    await says(texts.write(file, text(2 * KB), { roots: [root] }), /^The file is read-only: /);
    assert.equal(hashOf(readFileSync(file)), before);
  });
});
