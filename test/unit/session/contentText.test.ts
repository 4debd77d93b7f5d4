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

test('many changes are written without being compared, and a very long one too', () => {
  const long: FileDiff = { path: '/w/a', oldText: rows(5000, 'old'), newText: rows(5000, 'new') };
  const same: FileDiff = { path: '/w/b', oldText: 'same\nx\n', newText: 'same\ny\n' };
  const all = restText([same, ...Array.from({ length: 20 }, () => long)]);
  assert.match(all, /^-same\n-x\n\+same\n\+y$/m);
  assert.equal(all.match(/^-old 4999$/gm)?.length, 20);
  assert.equal(all.match(/^\+new 4999$/gm)?.length, 20);
  assert.match(diffText(same), /^ same\n-x\n\+y$/m);
  const whole = diffText({ path: '/w/a', oldText: rows(200_000, 'row'), newText: 'row 0\n' });
  assert.match(whole, /^-row 0\n-row 1$/m);
  assert.match(whole, /^\+row 0$/m);
});

test('no run of backquotes ends the block, however many there are', () => {
  const fenced = restText([
    { path: '/w/a', oldText: null, newText: `${'` '.repeat(200_000)}\n\`\`\`\`\n` },
  ]);
  assert.match(fenced, /^`{5}diff\n/);
  assert.ok(fenced.endsWith('\n`````'));
});
