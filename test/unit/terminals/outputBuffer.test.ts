import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { OutputBuffer } from '../../../src/terminals/outputBuffer';

/** The same, plainly: the longest end of the text, in whole characters, that fits. */
function model(text: string, limit: number): string {
  const characters = [...text];
  let kept = '';
  let bytes = 0;
  for (let i = characters.length - 1; i >= 0; i--) {
    const character = characters[i] ?? '';
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    kept = character + kept;
  }
  return kept;
}

/** Bytes in use once all garbage is collected. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const chunk = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'é', '€', '𝄞', '👩‍👩‍👧', '\n') }),
  fc.constantFrom('', 'x'.repeat(5000), '€'.repeat(2000)),
);

test('any chunks, any limit: the end of the text, cut between characters', () => {
  fc.assert(
    fc.property(
      fc.array(chunk, { maxLength: 30 }),
      fc.oneof(fc.nat(40), fc.nat(20_000)),
      fc.array(fc.boolean(), { maxLength: 30 }),
      (chunks, limit, reads) => {
        const buffer = new OutputBuffer(limit);
        let whole = '';
        chunks.forEach((text, i) => {
          buffer.append(text);
          whole += text;
          // Reading in between changes nothing.
          if (reads[i] === true) assert.equal(buffer.toString(), model(whole, limit));
        });
        assert.equal(buffer.toString(), model(whole, limit));
        assert.equal(buffer.truncated, Buffer.byteLength(whole) > limit);
      },
    ),
    { numRuns: 2000, seed: 4 },
  );
});

test('100 MB in small chunks keep to the cap', { timeout: 120_000 }, async () => {
  const limit = 1024 * 1024;
  const buffer = new OutputBuffer(limit);
  const line = `${'x'.repeat(98)}\n`;
  const before = memoryInUse();
  // A million appends that each moved the whole buffer would take longer than the test may.
  for (let i = 0; i < 1_000_000; i++) buffer.append(line);
  assert.equal(buffer.truncated, true);
  assert.equal(Buffer.byteLength(buffer.toString()), limit);
  // The text that was just read, twice at most, and the buffer itself. What is freed is given back by a
  // thread of V8's own, a moment after the collection.
  while (memoryInUse() - before >= 4 * limit) await setImmediate();
});
