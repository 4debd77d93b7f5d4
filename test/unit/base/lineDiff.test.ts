import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffLines } from '../../../src/base/lineDiff';
import type { Change } from '../../../src/base/lineDiff';
import { splitLines } from '../../../src/review/core/lines';

const numbered = (count: number, name = 'line'): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}\n`);

/** `a` after `changes`, which take their lines from `b`. */
function patched(
  a: readonly string[],
  b: readonly string[],
  changes: readonly Change[],
): readonly string[] {
  const result: string[] = [];
  let taken = 0;
  for (const { before, after } of changes) {
    result.push(
      ...a.slice(taken, before.start),
      ...b.slice(after.start, after.start + after.count),
    );
    taken = before.start + before.count;
  }
  return [...result, ...a.slice(taken)];
}

describe('lines', () => {
  for (const text of ['', '\n', 'a', 'a\n', 'a\r\nb', 'a\rb\n', '\n\n', 'ü\r\n🦜', '\r\n']) {
    it(`of ${JSON.stringify(text)} give it again, endings and all`, () => {
      const lines = splitLines(text);
      assert.equal(lines.join(''), text);
      assert.ok(lines.every(line => /^[^\n]*\n?$/.test(line) && line !== ''));
    });
  }
});

describe('the changes between two texts', () => {
  it('are none between equal ones', () => {
    assert.deepEqual(diffLines(numbered(3), numbered(3)), []);
    assert.deepEqual(diffLines([], []), []);
  });

  it('say where lines were added, removed and replaced', () => {
    assert.deepEqual(diffLines(['a', 'b', 'c', 'd', 'e'], ['a', 'x', 'c', 'e', 'f']), [
      { before: { start: 1, count: 1 }, after: { start: 1, count: 1 } },
      { before: { start: 3, count: 1 }, after: { start: 3, count: 0 } },
      { before: { start: 5, count: 0 }, after: { start: 4, count: 1 } },
    ]);
  });

  it('see another line ending and a missing last one as changes', () => {
    assert.equal(diffLines(['a\n', 'b\n'], ['a\r\n', 'b\n']).length, 1);
    assert.equal(diffLines(['a\n', 'b\n'], ['a\n', 'b']).length, 1);
  });

  it('keep to what was edited among lines that are all alike', () => {
    const same = Array.from({ length: 100 }, () => '}\n');
    const changes = diffLines(same, [...same.slice(0, 50), 'x\n', ...same.slice(50)]);
    assert.deepEqual(changes, [
      { before: { start: 50, count: 0 }, after: { start: 50, count: 1 } },
    ]);
  });

  it('are one for each edit of a large file, however many there are', () => {
    const before = numbered(40_000);
    const after = before.map((line, index) => (index % 100 === 50 ? `new ${index}\n` : line));
    const changes = diffLines(before, after);
    assert.equal(changes.length, 400);
    assert.deepEqual(patched(before, after, changes), after);
  });

  it('are one when nothing is the same', () => {
    assert.deepEqual(diffLines(numbered(30_000, 'old'), numbered(20_000, 'new')), [
      { before: { start: 0, count: 30_000 }, after: { start: 0, count: 20_000 } },
    ]);
  });

  it('lead from one text to the other where lines moved, and where they only occur too often', () => {
    const before = [...numbered(500), ...numbered(500, 'moved')];
    const after = [...numbered(500, 'moved'), ...numbered(500)];
    assert.deepEqual(patched(before, after, diffLines(before, after)), after);
    const few = Array.from({ length: 6_000 }, (_, index) => `${(index * index) % 7}\n`);
    const other = Array.from(
      { length: 6_000 },
      (_, index) => `${(index * 5 + (index >> 3)) % 7}\n`,
    );
    assert.deepEqual(patched(few, other, diffLines(few, other)), other);
  });
});
