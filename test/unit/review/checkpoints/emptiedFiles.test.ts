/** Files that are opened anew for writing: empty for a moment, and on some file systems dated only after it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { repositoryIn, writeFiles } from '../../git/support';
import { text, workspace } from './support';

/** As often as it takes to meet the moment, which is the longer, the larger the file was. */
const ROUNDS = 30;
const BEFORE = 'before\n'.repeat(250_000);
const FILES = { 'a.txt': BEFORE };

for (const [place, prepare] of [
  ['in a repository', (root: string) => repositoryIn(root, FILES)],
  ['without git', (root: string) => writeFiles(root, FILES)],
] as const) {
  for (const way of ['named', 'touched'] as const) {
    test(`${place}: a file that is ${way} while it is written was not empty before`, async t => {
      const w = await workspace(t, prepare);
      const file = w.file('a.txt');
      w.files.stopWatching();
      for (let round = 0; round < ROUNDS; round++) {
        const turn = await w.start(String(round));
        let written = false;
        const writing = writeFile(file, `after ${round}\n`).then(() => (written = true));
        while (!written) {
          if (way === 'named') w.tracker.named(turn, [file]);
          else w.tracker.touch(file);
          await w.tracker.settled();
        }
        await writing;
        w.tracker.touch(file);
        await w.tracker.settled();
        const seen = w.changes.agents.splice(0);
        assert.ok(isDeepStrictEqual(seen[0]?.before, text(BEFORE)), `round ${round}`);
        w.end(turn);
        await w.tracker.idle();
        writeFileSync(file, BEFORE);
        w.tracker.touch(file);
        await w.tracker.settled();
        w.changes.forget(file);
      }
    });
  }
}
