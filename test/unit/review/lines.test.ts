import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contentOf, linesOf, splitLike, splitLines } from '../../../src/review/core/lines';
import { splice } from '../../../src/review/core/ranges';
import type { FileContent } from '../../../src/review/model';

const line = fc.constantFrom('a', 'b', '', 'ü', '🦜 x', '\r', 'long '.repeat(9));
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', '')).map(parts => parts.join('')))
  .map(lines => lines.join(''));
const textContent = (value: string): FileContent => ({ kind: 'text', text: value });
const at = fc.nat({ max: 30 });

describe('lines', () => {
  test('are the same whether a text is split by itself or like an earlier state of it', () => {
    fc.assert(
      fc.property(text, at, at, text, (before, start, count, inserted) => {
        const from = Math.min(start, before.length);
        const after = before.slice(0, from) + inserted + before.slice(from + count);
        const content = textContent(after);
        splitLike(content, textContent(before));
        assert.deepEqual(linesOf(content), splitLines(after));
      }),
      { numRuns: 5_000, seed: 4 },
    );
  });

  test('of an unrelated text are its own', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const content = textContent(after);
        splitLike(content, textContent(before));
        assert.deepEqual(linesOf(content), splitLines(after));
      }),
      { numRuns: 2_000, seed: 4 },
    );
  });

  test('join to the same content with an earlier state and without', () => {
    fc.assert(
      fc.property(text, at, at, text, (before, start, count, inserted) => {
        const similar = textContent(before);
        const range = { start: Math.min(start, linesOf(similar).length), count };
        const lines = splice(linesOf(similar), range, splitLines(inserted));
        const joined = contentOf(lines, similar);
        assert.deepEqual(joined, contentOf(lines));
        assert.deepEqual(linesOf(joined), splitLines(lines.join('')));
      }),
      { numRuns: 5_000, seed: 4 },
    );
  });
});
