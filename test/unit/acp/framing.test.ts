/** Messages that do not stand on a line each: after headers, over several lines, between other text. */
import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Message } from 'vscode-jsonrpc';
import { Framing, type KnownFraming } from '../../../src/acp/transport/framing';
import { LeftOut } from '../../../src/acp/transport/longMessages';
import { NdjsonReader } from '../../../src/acp/transport/ndjsonReader';
import { NdjsonWriter } from '../../../src/acp/transport/ndjsonWriter';

/** Reads `text`, cut at `cuts`, to its end. */
async function read(
  text: string,
  cuts: readonly number[] = [],
  { known = { headers: false }, maxLineBytes = 1 << 20 } = {},
): Promise<{ messages: unknown[]; junk: string[]; tapped: string[] }> {
  const bytes = Buffer.from(text);
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [...places, bytes.length].map((end, i) => bytes.subarray(places[i - 1] ?? 0, end));
  const result = { messages: [] as unknown[], junk: [] as string[], tapped: [] as string[] };
  const reader = new NdjsonReader(
    Readable.from(chunks, { objectMode: false }),
    {
      maxLineBytes,
      onJunk: line => result.junk.push(line),
      tap: ({ json }) => result.tapped.push(json),
    },
    new Framing(known),
  );
  const closed = new Promise<void>(resolve => reader.onClose(() => resolve()));
  reader.listen(message => result.messages.push(message));
  await closed;
  return result;
}

const headed = (json: string, more = '') =>
  `Content-Length: ${Buffer.byteLength(json)}\r\n${more}\r\n${json}`;

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

test('messages after headers, however they are cut, with other headers and text between', async () => {
  const TYPE = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n';
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(message, fc.constantFrom('', TYPE), fc.constantFrom('', 'log\n', '\r\n'))),
      fc.constantFrom(undefined, 2),
      cuts,
      async (sent, indent, places) => {
        const text = sent
          .map(
            ([value, more, before]) => before + headed(JSON.stringify(value, null, indent), more),
          )
          .join('');
        const known: KnownFraming = { headers: false };
        const { messages, junk } = await read(text, places, { known });
        assert.deepEqual(
          messages,
          sent.map(([value]) => value),
        );
        assert.deepEqual(
          junk,
          sent.flatMap(([, , before]) => (before === 'log\n' ? ['log'] : [])),
        );
        assert.equal(known.headers, sent.length > 0);
      },
    ),
    { numRuns: 300, seed: 4 },
  );
});

/** Lines that look like the beginning of something, or like nothing. */
const JUNK = ['working…', 'Config: {', '{', '  "level": 3,', '}', '[1,', '{"jsonrpc": "2.0",'];

test('messages over several lines and on one line, with plain text between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          message,
          fc.constantFrom(undefined, 1, 4, '\t'),
          fc.constantFrom('', 'working…', '[info] {x}'),
        ),
      ),
      fc.constantFrom('\n', '\r\n'),
      cuts,
      async (entries, end, places) => {
        const lines = entries.flatMap(([value, indent, text]) => [
          ...(text === '' ? [] : [text]),
          JSON.stringify(value, null, indent).replaceAll('\n', end),
        ]);
        const { messages, junk, tapped } = await read(
          lines.map(line => line + end).join(''),
          places,
        );
        assert.deepEqual(
          messages,
          entries.map(([value]) => value),
        );
        assert.deepEqual(
          junk,
          entries.flatMap(([, , text]) => (text === '' ? [] : [text])),
        );
        assert.deepEqual(
          tapped.map(json => [json.includes('\n'), JSON.parse(json) as unknown]),
          entries.map(([value]) => [false, value]),
        );
      },
    ),
    { numRuns: 300, seed: 4 },
  );
});

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
          entries.filter(entry => typeof entry === 'string'),
        );
      },
    ),
    { numRuns: 300, seed: 4 },
  );
});

test('what is no message after all is told line by line, in order, and so is half a message at the end', async () => {
  const lines = ['Config: {', '  "port": 80', '}', '{', '  "jsonrpc": "2.0",', 'Stopped.'];
  const { messages, junk } = await read(
    `${lines.join('\n')}\n{"method":"m"}\n{\n"jsonrpc": "2.0",\n`,
  );
  assert.deepEqual(messages, [{ method: 'm' }]);
  assert.deepEqual(junk, [...lines, '{', '"jsonrpc": "2.0",']);
});

test('byte order marks, NULs and separators of records belong to no line', async () => {
  const line = '{"jsonrpc":"2.0","method":"m"}';
  const { messages, junk } = await read(
    `\ufeff\0${line}\n\u001e${line}\n${line}\0${line}\0\n\0\0\n`,
  );
  assert.equal(messages.length, 4);
  assert.deepEqual(junk, []);
});

test('a header in the log of an agent that writes lines is none: nothing waits for what it tells', async () => {
  const line = '{"jsonrpc":"2.0","method":"m"}\n';
  const { messages, junk } = await read(
    `${line}Content-Length: 90000\r\n\r\n${line}Content-Type: text/plain\n${line}`,
  );
  assert.equal(messages.length, 3);
  assert.deepEqual(junk, ['Content-Length: 90000', 'Content-Type: text/plain']);
});

test('a length that was miscounted loses nothing that stands on lines', async () => {
  const line = '{"jsonrpc":"2.0","method":"m"}\n';
  const { messages } = await read(`Content-Length: 70\r\n\r\nnot JSON\n${line}${line}${line}`);
  assert.equal(messages.length, 3);
});

test('a message over several lines that is too long becomes a short one', async () => {
  const long = { jsonrpc: '2.0', id: 7, method: 'm', params: { sessionId: 's', text: ['x'] } };
  long.params.text = Array.from({ length: 3000 }, () => 'x');
  const next = { jsonrpc: '2.0', method: 'next' };
  const pretty = `${JSON.stringify(long, null, 2)}\n${JSON.stringify(next)}\n`;
  for (const text of [pretty, headed(JSON.stringify(long)) + headed(JSON.stringify(next))]) {
    const { messages } = await read(text, [], { maxLineBytes: 10_000 });
    const [first, second] = messages as { id?: number; params: LeftOut }[];
    assert.equal(first?.id, 7);
    assert.ok(first.params instanceof LeftOut);
    assert.equal(first.params.sessionId, 's');
    assert.deepEqual(second, next);
  }
});

test('the first message is sent in the other framing too when nothing comes, and only then', async () => {
  const json = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { a: 'ä' } });
  const write = async (known: KnownFraming, isHeard: boolean) => {
    const stream = new PassThrough();
    const framing = new Framing(known, 5);
    const writer = new NdjsonWriter(stream, undefined, framing);
    await writer.write(JSON.parse(json) as Message);
    if (isHeard) framing.heard(known.headers);
    // Armed later than the framing's own, so it comes after.
    await new Promise(resolve => setTimeout(resolve, 6));
    writer.end();
    return String(stream.read());
  };
  const body = `${json}\n`;
  assert.equal(await write({ headers: false }, true), body);
  assert.equal(await write({ headers: false }, false), `${body}\r\n${headed(body)}`);
  assert.equal(await write({ headers: true }, true), headed(json));
  assert.equal(await write({ headers: true }, false), `${headed(json)}\n${body}`);
});
