/**
 * What six real agents said, as the panel shows it. `RESET_RESULTS=1` writes the texts anew; a difference
 * leaves `<name>.actual` beside the text.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { render } from './render';
import { replayChats } from './replayChats';
import { loadTranscript, transcriptPaths } from './transcript';

const paths = transcriptPaths();
const folder = path.join(path.dirname(paths[0] ?? ''), '../rendered');
mkdirSync(folder, { recursive: true });

for (const file of paths) {
  const transcript = loadTranscript(file);
  test(`${transcript.name} is shown as before`, async () => {
    const golden = path.join(folder, `${transcript.name}.txt`);
    const actual = render(await replayChats(transcript));
    if (process.env['RESET_RESULTS'] === '1') writeFileSync(golden, actual);
    const expected = existsSync(golden) ? readFileSync(golden, 'utf8') : '(no text yet)';
    const difference = golden.replace(/\.txt$/, '.actual');
    if (actual === expected) rmSync(difference, { force: true });
    else writeFileSync(difference, actual);
    assert.equal(actual, expected);
  });
}
