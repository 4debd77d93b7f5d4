/** Changes as plain text, for documents that show all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import type { FileDiff } from '../../../src/session/translate/contents';
import { diffText, restText } from '../../../src/session/translate/contentText';

const lines = fc.array(fc.constantFrom('', 'one', '+two', '- three', 'four\r', '`````'));
const text = fc.tuple(lines, fc.constantFrom('', '\n')).map(([all, end]) => all.join('\n') + end);
const diff = fc.record({ path: fc.constant('/w/a'), oldText: text, newText: text });

/** The text within the fence. */
function block(fenced: string): string {
  return fenced.split('\n').slice(1, -1).join('\n');
}

test('a change as text makes the new text of the old one, compared or not', () => {
  fc.assert(
    fc.property(diff, change => {
      fc.pre(change.oldText !== change.newText);
      for (const patch of [diffText(change), block(restText([change]))]) {
        assert.equal(applyPatch(change.oldText, patch), change.newText, patch);
      }
    }),
    { numRuns: 500 },
  );
});

const rows = (count: number, word: string): string =>
  Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join('');

test('many long changes are written in time with their length', () => {
  const long: FileDiff = { path: '/w/a', oldText: rows(5000, 'old'), newText: rows(5000, 'new') };
  // Were they compared, the run would be ended before this is.
  const all = restText(Array.from({ length: 400 }, () => long));
  assert.equal(all.match(/^-old 4999$/gm)?.length, 400);
  assert.equal(all.match(/^\+new 4999$/gm)?.length, 400);
  const whole = diffText({ ...long, oldText: rows(200_000, 'old') });
  assert.match(whole, /^-old 199999$/m);
  assert.match(whole, /^\+new 4999$/m);
});

test('no run of backquotes ends the block, however many there are', () => {
  const fenced = restText([
    { path: '/w/a', oldText: null, newText: `${'` '.repeat(200_000)}\n\`\`\`\`\n` },
  ]);
  assert.match(fenced, /^`{5}diff\n/);
  assert.ok(fenced.endsWith('\n`````'));
});
