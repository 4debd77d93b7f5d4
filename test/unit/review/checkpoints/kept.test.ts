/** What is stored is under review, and nothing else ever is. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { repositoryIn, temporaryFolder, writeFiles } from '../../git/support';
import { reviewed, shell } from './support';

const SECRET = 'sk-aaaabbbbccccdddd';
const TIMEOUT = { timeout: 60_000 };

/** Everything below the folder, as one text. */
function stored(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

async function world(t: TestContext, inGit: boolean, files: Record<string, string>) {
  const root = temporaryFolder();
  const store = temporaryFolder();
  const outside = temporaryFolder();
  if (inGit) repositoryIn(root, { '.gitignore': 'ignored/\n', 'a.txt': 'a\n' });
  writeFiles(root, files);
  writeFiles(outside, { 'settings.json': '{}' });
  const w = await reviewed(t, [root], store, { isQuiet: true });
  return { ...w, root, store, outside, isStored: () => stored(store).includes(SECRET) };
}

const SAVED: readonly { what: string; inGit: boolean; file: string; isOutside?: boolean }[] = [
  { what: 'settings of the user', inGit: true, file: 'settings.json', isOutside: true },
  { what: '… without git', inGit: false, file: 'settings.json', isOutside: true },
  { what: 'a file that git ignores', inGit: true, file: 'ignored/config.json' },
  { what: 'a file of a tool', inGit: false, file: 'node_modules/config.json' },
  { what: "git's own configuration", inGit: true, file: '.git/config' },
  ...[
    '.env',
    '.env.local',
    'prod.env',
    '.npmrc',
    '.netrc',
    'id_ed25519',
    'server.pem',
    'tls.key',
    'credentials.json',
    'deploy/secrets.yaml',
    '.aws/config',
    '.ssh/config',
    'service-account-1.json',
  ].flatMap(file => [
    { what: `${file} in git`, inGit: true, file },
    { what: `${file} without git`, inGit: false, file },
  ]),
];

for (const { what, inGit, file, isOutside = false } of SAVED) {
  test(`the user saves and an agent reads ${what}: nothing of it is stored`, TIMEOUT, async t => {
    const w = await world(t, inGit, isOutside ? {} : { [file]: `OLD=${SECRET}\n` });
    const saved = path.join(isOutside ? w.outside : w.root, file);
    const turn = await w.start('1');
    // Without git, what tools make is looked at where an agent names it.
    if (!file.startsWith('node_modules')) w.tracker.named(turn, [saved], false);
    await w.tracker.settled();
    writeFileSync(saved, `KEY=${SECRET}\n`);
    w.tracker.saved(saved, `KEY=${SECRET}\n`);
    w.tracker.touch(saved);
    await w.tracker.settled();
    w.end(turn);
    await w.tracker.idle();
    await w.storage.flush();
    assert.equal(w.isStored(), false);
    assert.deepEqual(w.review.pending, []);
  });
}

test(
  'a file with secrets that an agent changes is stored until it is decided',
  TIMEOUT,
  async t => {
    for (const decide of ['keep', 'undo'] as const) {
      const w = await world(t, true, { '.env': `KEY=${SECRET}\n` });
      const file = path.join(w.root, '.env');
      const turn = await w.start('1');
      await shell(w.root, 'echo MORE=1 >> .env');
      w.tracker.touch(file);
      await w.tracker.settled();
      const [change] = w.review.pending;
      assert.equal(change?.path, file);
      assert.deepEqual(change.baseline, { kind: 'text', text: `KEY=${SECRET}\n` });
      await w.storage.flush();
      assert.equal(w.isStored(), true);
      w.end(turn);
      assert.deepEqual((await w.review[decide]({ kind: 'all' })).failures, []);
      const now = readFileSync(file, 'utf8');
      assert.equal(now, decide === 'undo' ? `KEY=${SECRET}\n` : `KEY=${SECRET}\nMORE=1\n`);
    }
  },
);
