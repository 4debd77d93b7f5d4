import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { archiveFormat, unpack } from '../../../../src/agents/registry/unpack/unpack';
import { UnpackError } from '../../../../src/agents/registry/unpack/unpackError';
import type { UnpackLimits } from '../../../../src/agents/registry/unpack/destination';
import { TAR_BZ2, tarGz, zip, type ArchiveEntry } from './archives';

const SCRIPT = '#!/bin/sh\necho it runs\n';

interface Place {
  readonly outer: string;
  readonly folder: string;
  unpack(address: string, bytes: Buffer, command?: string, limits?: UnpackLimits): Promise<void>;
}

function place(t: TestContext): Place {
  const outer = mkdtempSync(path.join(tmpdir(), 'parley-unpack-'));
  t.after(() => rmSync(outer, { recursive: true, force: true }));
  const folder = path.join(outer, 'in', 'here');
  mkdirSync(folder, { recursive: true });
  return {
    outer,
    folder,
    unpack(address, bytes, command = 'run', limits?) {
      const archive = path.join(outer, 'archive');
      writeFileSync(archive, bytes);
      const { signal } = new AbortController();
      return unpack(archive, archiveFormat(address), folder, command, signal, limits);
    },
  };
}

const FORMATS: readonly [string, (entries: readonly ArchiveEntry[]) => Promise<Buffer> | Buffer][] =
  [
    ['https://x.test/a.tar.gz', tarGz],
    ['https://x.test/a.zip', zip],
  ];

for (const [address, make] of FORMATS) {
  const kind = address.slice(-6);

  test(`${kind}: files, folders, links inside, and what can be run`, async t => {
    const { folder, unpack } = place(t);
    await unpack(
      address,
      await make([
        { name: './bin/run', content: SCRIPT, mode: 0o755 },
        { name: 'lib/data.txt', content: 'data' },
        { name: 'bin/again', link: '../lib/data.txt', type: 'symlink' },
      ]),
      'bin/run',
    );
    assert.equal(execFileSync(path.join(folder, 'bin', 'run'), { encoding: 'utf8' }), 'it runs\n');
    assert.equal(readFileSync(path.join(folder, 'bin', 'again'), 'utf8'), 'data');
    assert.equal(statSync(path.join(folder, 'lib', 'data.txt')).mode & 0o111, 0);
  });

  const hostile: Readonly<Record<string, readonly ArchiveEntry[]>> = {
    'a name above': [{ name: '../out' }],
    'a name above from below': [{ name: 'a/../../out' }],
    'a name far above': [{ name: '../../../../../../tmp/parley-out' }],
    'an absolute name': [{ name: '/tmp/parley-out' }],
    'a name of another system': [{ name: '..\\out' }],
    'a drive': [{ name: 'C:/out' }],
    'a share': [{ name: '\\\\server\\share\\out' }],
    'a stream of a file': [{ name: 'run:out' }],
    'a device of Windows': [{ name: 'a/NUL.txt' }],
    'a name that ends in a dot': [{ name: 'a./out' }],
    'a name that ends in a blank': [{ name: 'a /out' }],
    'more dots': [{ name: 'a/.../out' }],
    'a line break in a name': [{ name: 'a\nb' }],
    'the same name twice': [{ name: 'twice' }, { name: 'twice' }],
    'the same name twice, written differently': [{ name: 'twice' }, { name: './/twice' }],
    'an absolute link': [{ name: 'link', link: '/etc/passwd', type: 'symlink' }],
    'a link above': [{ name: 'link', link: '../../out', type: 'symlink' }],
    'a link to a drive': [{ name: 'link', link: 'C:\\out', type: 'symlink' }],
    'a link to a share': [{ name: 'link', link: '\\\\server\\x', type: 'symlink' }],
    'a link to nothing': [{ name: 'link', link: 'missing', type: 'symlink' }],
    'a link to itself': [{ name: 'link', link: 'link', type: 'symlink' }],
    'a link through a link': [
      { name: 'deep/deep/file' },
      { name: 'deep/deep/up', link: '../..', type: 'symlink' },
      { name: 'link', link: 'deep/deep/up/../..', type: 'symlink' },
    ],
    'a folder through links': [
      { name: 'a/b/file' },
      { name: 'a/b/l1', link: '../..', type: 'symlink' },
      { name: 'l2', link: 'a/b/l1/../..', type: 'symlink' },
      { name: 'l2/x/y', link: 'z', type: 'symlink' },
    ],
    'a file through a link': [{ name: 'link', link: '.', type: 'symlink' }, { name: 'link/file' }],
    'a link instead of the program': [
      { name: 'other' },
      { name: 'run', link: '/bin/sh', type: 'symlink' },
    ],
  };
  for (const [what, entries] of Object.entries(hostile)) {
    test(`${kind}: ${what} is refused`, async t => {
      const { outer, unpack } = place(t);
      const program = what.includes('program')
        ? []
        : [{ name: 'run', content: SCRIPT, mode: 0o755 }];
      await assert.rejects(unpack(address, await make([...program, ...entries])));
      assert.deepEqual(readdirSync(outer).sort(), ['archive', 'in']);
      assert.deepEqual(readdirSync(path.join(outer, 'in')), ['here']);
      assert.ok(!existsSync('/tmp/parley-out'));
    });
  }

  test(`${kind}: too many bytes and too many files are refused`, async t => {
    const { unpack } = place(t);
    const run = { name: 'run', content: SCRIPT };
    const big = await make([run, { name: 'big', content: Buffer.alloc(200_000) }]);
    await assert.rejects(unpack(address, big, 'run', { entries: 10, bytes: 100_000 }), UnpackError);
    const many = await make([
      run,
      ...Array.from({ length: 20 }, (_, i) => ({ name: `many/${i}` })),
    ]);
    await assert.rejects(
      place(t).unpack(address, many, 'run', { entries: 10, bytes: 100_000 }),
      UnpackError,
    );
  });

  test(`${kind}: without the program, cut short or no archive at all it is refused`, async t => {
    const good = await make([{ name: 'run', content: SCRIPT.repeat(500) }]);
    await assert.rejects(place(t).unpack(address, good, 'walk'), UnpackError);
    await assert.rejects(place(t).unpack(address, good.subarray(0, good.length - 40)));
    await assert.rejects(place(t).unpack(address, Buffer.from('<html>sign in first</html>')));
  });
}

test('what is neither file, folder nor link is refused', async t => {
  for (const type of ['link', 'fifo', 'character-device', 'block-device'] as const) {
    const bytes = await tarGz([{ name: 'run' }, { name: 'odd', type, link: 'run' }]);
    await assert.rejects(place(t).unpack('https://x.test/a.tgz', bytes), UnpackError, type);
  }
});

test('bzip2', async t => {
  const { folder, unpack } = place(t);
  await unpack('https://x.test/a.tar.bz2', TAR_BZ2, 'goose');
  assert.equal(execFileSync(path.join(folder, 'goose'), { encoding: 'utf8' }), 'from bzip2\n');
  await assert.rejects(place(t).unpack('https://x.test/a.tbz2', TAR_BZ2.subarray(0, 100), 'goose'));
});

test('what is no archive is the program', async t => {
  const { folder, unpack } = place(t);
  await unpack('https://x.test/agent-linux', Buffer.from(SCRIPT), 'bin/agent');
  assert.equal(execFileSync(path.join(folder, 'bin', 'agent'), { encoding: 'utf8' }), 'it runs\n');
});

test('installers are refused', () => {
  for (const name of ['a.dmg', 'a.pkg', 'a.deb', 'a.rpm', 'a.msi', 'a.tar.xz', 'a.7z']) {
    assert.throws(() => archiveFormat(`https://x.test/${name}`), UnpackError, name);
  }
});
