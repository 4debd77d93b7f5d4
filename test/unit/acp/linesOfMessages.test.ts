/** What stands between and around messages: text, half messages, marks; several messages in a line. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { NdjsonReader } from '../../../src/acp/transport/ndjsonReader';

/** Reads `text`, cut at `cuts`, to its end. */
async function read(
  text: string,
  cuts: readonly number[] = [],
): Promise<{ messages: unknown[]; junk: string[] }> {
  const bytes = Buffer.from(text);
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [...places, bytes.length].map((end, i) => bytes.subarray(places[i - 1] ?? 0, end));
  const result = { messages: [] as unknown[], junk: [] as string[] };
  const reader = new NdjsonReader(Readable.from(chunks, { objectMode: false }), {
    maxLineBytes: 1 << 20,
    onJunk: line => result.junk.push(line),
  });
  const closed = new Promise<void>(resolve => reader.onClose(() => resolve()));
  reader.listen(message => result.messages.push(message));
  await closed;
  return result;
}

const message = fc
  .record({
    jsonrpc: fc.constant('2.0'),
    method: fc.string({ unit: 'binary', minLength: 1 }),
    params: fc.record({
      list: fc.array(fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)), { maxLength: 3 }),
      text: fc.string({ unit: 'binary', maxLength: 50 }),
    }),
  })
  .map(value => JSON.parse(JSON.stringify(value)) as unknown);

const cuts = fc.array(fc.nat(), { maxLength: 20 });

/** Lines that look like the beginning of something, or like nothing. */
const JUNK = ['working…', 'Config: {', '{', '  "level": 3,', '}', '[1,', '{"jsonrpc": "2.0",'];

test('whatever begins and does not end, no message on a line of its own is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(message, fc.constantFrom(...JUNK))),
      cuts,
      async (entries, places) => {
        const text = entries
          .map(entry => `${typeof entry === 'string' ? entry : JSON.stringify(entry)}\n`)
          .join('');
        const { messages, junk } = await read(text, places);
        assert.deepEqual(
          messages,
          entries.filter(entry => typeof entry !== 'string'),
        );
        assert.deepEqual(
          junk,
          entries.flatMap(entry => (typeof entry === 'string' ? entry.trim() : [])),
        );
      },
    ),
    { numRuns: 300, seed: 4 },
  );
});

test('byte order marks, NULs and separators of records belong to no line', async () => {
  const line = '{"jsonrpc":"2.0","method":"m"}';
  const { messages, junk } = await read(
    `\ufeff\0${line}\n\u001e${line}\n${line}\0${line}\0\n\0\0\n`,
  );
  assert.equal(messages.length, 4);
  assert.deepEqual(junk, []);
});

test('lines that look like headers, as language servers write them, are text like any other', async () => {
  const line = '{"jsonrpc":"2.0","method":"m"}\n';
  const { messages, junk } = await read(`${line}Content-Length: 90000\r\n\r\n${line}`);
  assert.equal(messages.length, 2);
  assert.deepEqual(junk, ['Content-Length: 90000']);
});
