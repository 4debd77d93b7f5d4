import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineSplitter, LineTail } from '../../../src/agents/process/lineTail';

/** Cuts `bytes` at the places given by `cuts`. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
}

test('however a stream is cut, the lines are the same', () => {
  const text = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 30 }), fc.boolean(), (parts, cuts, crlf) => {
      const lines = parts.map(part => part.replaceAll(/[\r\n]/g, ''));
      const bytes = Buffer.from(lines.map(line => line + (crlf ? '\r\n' : '\n')).join(''));
      const seen: string[] = [];
      const splitter = new LineSplitter(line => seen.push(line));
      for (const piece of pieces(bytes, cuts)) splitter.write(piece);
      splitter.end();
      assert.deepEqual(seen, lines);
    }),
    { numRuns: 500, seed: 4 },
  );
});

test('the last line needs no end, and a long one is cut off', () => {
  const seen: string[] = [];
  const splitter = new LineSplitter(line => seen.push(line));
  for (let i = 0; i < 100; i++) splitter.write(Buffer.from('x'.repeat(1000)));
  splitter.write(Buffer.from('\nlast'));
  splitter.end();
  assert.deepEqual(seen, ['x'.repeat(2000), 'last']);
});

test('the last lines are kept, clean', () => {
  const tail = new LineTail(3);
  for (let i = 0; i < 1000; i++) tail.push(String(i));
  assert.deepEqual(tail.toArray(), ['997', '998', '999']);
  tail.push('\x1b[31mError\x1b[0m: no');
  tail.push('');
  assert.deepEqual(tail.toArray(), ['999', 'Error: no']);
});
