import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FileError } from '../../../src/session/ports';
import type { FileErrorReason } from '../../../src/session/ports';
import { resolveInScope } from '../../../src/vscode/files/scopedPath';

describe('paths in scope', () => {
  let base: string;
  let root: string;
  const refused = (file: string, reason: FileErrorReason, roots = [root]) =>
    assert.rejects(
      resolveInScope(file, { roots }),
      error => error instanceof FileError && error.reason === reason,
    );

  before(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-scope-')));
    root = path.join(base, 'root');
    mkdirSync(path.join(root, 'src'), { recursive: true });
    mkdirSync(path.join(base, 'root-not'));
    mkdirSync(path.join(base, 'outside'));
    writeFileSync(path.join(root, 'src', 'a.ts'), '');
    writeFileSync(path.join(base, 'outside', 'secret'), '');
    symlinkSync(path.join(base, 'outside'), path.join(root, 'out'));
    symlinkSync(path.join(root, 'src'), path.join(root, 'in'));
    symlinkSync(path.join(base, 'outside', 'new'), path.join(root, 'dangling'));
    symlinkSync(path.join(root, 'loop2'), path.join(root, 'loop1'));
    symlinkSync(path.join(root, 'loop1'), path.join(root, 'loop2'));
    symlinkSync(root, path.join(base, 'linkedRoot'));
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  test('a file, a new file and a new folder inside are allowed', async () => {
    for (const name of ['src/a.ts', 'src/new.ts', 'x/y/z.ts']) {
      const file = path.join(root, name);
      assert.equal((await resolveInScope(file, { roots: [root] })).real, file);
    }
  });

  test('a relative path is refused', () => refused('src/a.ts', 'relativePath'));
  test('a path outside is refused', () =>
    refused(path.join(base, 'outside', 'secret'), 'outsideWorkspace'));
  test('a folder whose name begins alike is outside', () =>
    refused(path.join(base, 'root-not', 'a'), 'outsideWorkspace'));
  test('climbing out is refused', () =>
    refused(`${root}/src/../../outside/secret`, 'outsideWorkspace'));
  test('a link that leads outside is refused', () =>
    refused(path.join(root, 'out', 'secret'), 'outsideWorkspace'));
  test('a new file behind such a link is refused', () =>
    refused(path.join(root, 'out', 'sub', 'new'), 'outsideWorkspace'));
  test('a link to a file that does not exist yet is where it points', () =>
    refused(path.join(root, 'dangling'), 'outsideWorkspace'));
  test('links in a circle are refused', () => refused(path.join(root, 'loop1', 'a'), 'failed'));
  test('without a root nothing is allowed', () =>
    refused(path.join(root, 'src', 'a.ts'), 'outsideWorkspace', []));

  test('a link inside is resolved', async () => {
    const { real } = await resolveInScope(path.join(root, 'in', 'a.ts'), { roots: [root] });
    assert.equal(real, path.join(root, 'src', 'a.ts'));
  });

  test('a file is known by the spelling of a linked root too', async () => {
    const linked = path.join(base, 'linkedRoot');
    const { real, spellings } = await resolveInScope(path.join(root, 'src', 'a.ts'), {
      roots: [linked],
    });
    assert.equal(real, path.join(root, 'src', 'a.ts'));
    assert.ok(spellings.includes(path.join(linked, 'src', 'a.ts')));
  });
});
