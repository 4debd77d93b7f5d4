import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minimalEdits } from '../../../src/vscode/files/minimalEdits';

function apply(before: string, edits: ReturnType<typeof minimalEdits>): string {
  let text = '';
  let at = 0;
  for (const edit of edits) {
    assert.ok(edit.start >= at, 'edits ascend and do not overlap');
    text += before.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + before.slice(at);
}

const line = fc.constantFrom('', 'a', 'b', 'const x = 1;', 'ä𝄞', '}');
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 })
  .chain(lines => line.map(last => lines.map(([content, end]) => content + end).join('') + last));

test('edits turn one text into the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      assert.equal(apply(before, minimalEdits(before, after)), after);
    }),
    { numRuns: 2000, seed: 4 },
  );
});

test('lines that stay are not touched', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\n';
  const edits = minimalEdits(before, 'one\n2\nthree\nfour\n5\n');
  assert.deepEqual(edits, [
    { start: 4, end: 8, text: '2\n' },
    { start: 19, end: 24, text: '5\n' },
  ]);
});

test('equal texts need no edit', () => {
  assert.deepEqual(minimalEdits('a\n', 'a\n'), []);
});
