/** A file that is reached is the one that was checked, whatever its path has become since. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ConfinedFiles, openByPath, openByPlace } from '../../../src/vscode/files/confinedFile';
import { resolveInScope } from '../../../src/vscode/files/scopedPath';
import { temporaryFolder } from '../git/support';

const WAYS = [
  { way: 'by the place of the folder', files: new ConfinedFiles(openByPlace) },
  { way: 'by its path', files: new ConfinedFiles(openByPath) },
];
const SECRET = 'outside\n';

/** A workspace with a folder, and a folder outside that has the same files. */
function world() {
  const base = temporaryFolder();
  const root = path.join(base, 'root');
  const outside = path.join(base, 'outside');
  for (const [folder, text] of [
    [path.join(root, 'a', 'b'), 'inside\n'],
    [path.join(outside, 'b'), SECRET],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'file.txt'), text);
    writeFileSync(path.join(folder, '..', 'file.txt'), text);
  }
  const isUntouched = () => {
    const names = readdirSync(outside, { recursive: true }).map(String).sort();
    assert.deepEqual(names, ['b', 'b/file.txt', 'file.txt']);
    assert.equal(readFileSync(path.join(outside, 'b', 'file.txt'), 'utf8'), SECRET);
    assert.equal(readFileSync(path.join(outside, 'file.txt'), 'utf8'), SECRET);
  };
  return { base, root, outside, isUntouched };
}

type World = ReturnType<typeof world>;

/** What happens between the check and the use. */
const SWAPS: readonly {
  readonly what: string;
  readonly file: string;
  readonly isNew?: boolean;
  swap(world: World): void;
}[] = [
  {
    what: 'its folder becomes a link',
    file: 'a/file.txt',
    swap: ({ root, outside }) => {
      renameSync(path.join(root, 'a'), path.join(root, 'was'));
      symlinkSync(outside, path.join(root, 'a'));
    },
  },
  {
    what: 'a folder above becomes a link',
    file: 'a/b/file.txt',
    swap: ({ root, outside }) => {
      renameSync(path.join(root, 'a'), path.join(root, 'was'));
      symlinkSync(outside, path.join(root, 'a'));
    },
  },
  {
    what: 'the file becomes a link',
    file: 'a/file.txt',
    swap: ({ root, outside }) => {
      rmSync(path.join(root, 'a', 'file.txt'));
      symlinkSync(path.join(outside, 'file.txt'), path.join(root, 'a', 'file.txt'));
    },
  },
  {
    what: 'the file becomes a pipe',
    file: 'a/file.txt',
    swap: ({ root }) => {
      rmSync(path.join(root, 'a', 'file.txt'));
      execFileSync('mkfifo', [path.join(root, 'a', 'file.txt')]);
    },
  },
  {
    what: 'a new file becomes a link to nowhere',
    file: 'a/new.txt',
    isNew: true,
    swap: ({ root, outside }) => {
      symlinkSync(path.join(outside, 'made.txt'), path.join(root, 'a', 'new.txt'));
    },
  },
  {
    what: 'the folder of a new file becomes a link',
    file: 'a/new.txt',
    isNew: true,
    swap: ({ root, outside }) => {
      renameSync(path.join(root, 'a'), path.join(root, 'was'));
      symlinkSync(outside, path.join(root, 'a'));
    },
  },
];

for (const { way, files } of WAYS) {
  describe(`files reached ${way}`, { skip: process.platform === 'win32' }, () => {
    for (const { what, file, isNew = false, swap } of SWAPS) {
      test(`after the check ${what}: refused`, async () => {
        const w = world();
        const { real } = await resolveInScope(path.join(w.root, file), { roots: [w.root] });
        swap(w);
        if (!isNew) await assert.rejects(files.read(real));
        const before = isNew ? undefined : Buffer.from('inside\n');
        await assert.rejects(files.write(real, Buffer.from('evil\n'), before));
        w.isUntouched();
      });
    }

    test('a file is not removed where its folder has become a link', async () => {
      const w = world();
      SWAPS[0]?.swap(w);
      await assert.rejects(files.remove(path.join(w.root, 'a', 'file.txt')));
      w.isUntouched();
    });

    test('what is there is read, written in place, made with its folders, removed', async () => {
      const { root } = world();
      const file = path.join(root, 'a', 'file.txt');
      for (const text of ['longer than it was\n', '', 'x']) {
        await files.write(file, Buffer.from(text), await files.read(file));
        assert.equal(readFileSync(file, 'utf8'), text);
        assert.equal(Buffer.from(await files.read(file)).toString(), text);
      }
      const made = path.join(root, 'x', 'y', 'z.txt');
      await files.write(made, Buffer.from('made'), undefined);
      assert.equal(readFileSync(made, 'utf8'), 'made');
      await files.remove(made);
      assert.equal(existsSync(made), false);
      await assert.rejects(files.read(made), { code: 'ENOENT' });
    });
  });
}

/** A folder that becomes a link and a folder again, as fast as it can. */
const FLIPS = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const [folder, away, outside] = process.argv.slice(1);
  // What is written meanwhile may make the folder anew.
  const free = () => rmSync(folder, { recursive: true, force: true });
  const tried = step => { for (;;) try { return step(); } catch { free(); } };
  for (;;) {
    renameSync(folder, away);
    tried(() => symlinkSync(outside, folder));
    tried(() => { free(); renameSync(away, folder); });
    if (!globalThis.told) { globalThis.told = true; process.stdout.write('.'); }
  }`;

test('nothing gets out of a workspace whose folder flips all the time', async t => {
  if (process.platform !== 'linux') return t.skip('only Linux tells where an opened folder is');
  const w = world();
  const folder = path.join(w.root, 'a');
  const flipping = spawn(
    process.execPath,
    ['-e', FLIPS, folder, path.join(w.root, 'away'), w.outside],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => flipping.kill('SIGKILL'));
  await once(flipping.stdout, 'data');
  const files = new ConfinedFiles(openByPlace);
  for (let tries = 0; tries < 1_500; tries++) {
    const name = tries % 2 === 0 ? 'file.txt' : `new${tries}.txt`;
    try {
      const { real } = await resolveInScope(path.join(folder, 'b', name), { roots: [w.root] });
      const before = tries % 2 === 0 ? await files.read(real) : undefined;
      if (before) assert.notEqual(Buffer.from(before).toString(), SECRET);
      await files.write(real, Buffer.from('evil\n'), before);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  }
  w.isUntouched();
});
