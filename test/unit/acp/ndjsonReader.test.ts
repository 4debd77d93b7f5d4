import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/acp/transport/lineSplitter';
import { LeftOut } from '../../../src/acp/transport/longMessages';
import { NdjsonReader } from '../../../src/acp/transport/ndjsonReader';

interface Read {
  readonly messages: unknown[];
  readonly junk: string[];
  readonly errors: Error[];
  readonly tapped: string[];
}

/** Reads `chunks` to the end through a real stream. */
function read(chunks: readonly Buffer[], maxLineBytes = 1024 * 1024): Promise<Read> {
  const result: Read = { messages: [], junk: [], errors: [], tapped: [] };
  const stream = Readable.from(chunks, { objectMode: false });
  const reader = new NdjsonReader(stream, {
    maxLineBytes,
    onJunk: line => result.junk.push(line),
    tap: traffic => result.tapped.push(traffic.json),
  });
  return new Promise(resolve => {
    reader.onError(error => result.errors.push(error));
    reader.onClose(() => resolve(result));
    reader.listen(message => result.messages.push(message));
  });
}

const message = fc
  .record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), fc.uuid()),
    method: fc.string({ unit: 'binary' }),
    params: fc.record({ text: fc.string({ unit: 'binary', maxLength: 200 }) }),
  })
  .map(value => JSON.parse(JSON.stringify(value)) as unknown);

const junk = fc.oneof(
  fc.constantFrom('Loading…', '[1,2]', '[]', '42', 'null', '"text"', '{broken', '{"level":30}'),
  fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter(line => line.trim() !== '' && !/[\r\n]/.test(line))
    .map(line => `# ${line}`),
);

const line = fc.oneof(
  { weight: 4, arbitrary: message.map(value => ({ kind: 'message' as const, value })) },
  { weight: 1, arbitrary: junk.map(value => ({ kind: 'junk' as const, value })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '  ', '\t').map(value => ({ kind: 'blank' as const, value })),
  },
);

test('any split of the bytes, line ends and junk between give the same messages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 30 }),
      async (lines, lastLineEnd, cuts) => {
        const whole = lines
          .map(([entry, end], index) => {
            const content = entry.kind === 'message' ? JSON.stringify(entry.value) : entry.value;
            return index === lines.length - 1 && !lastLineEnd ? content : content + end;
          })
          .join('');
        const result = await read(split(Buffer.from(whole), cuts));
        const expected = lines.map(([entry]) => entry);
        assert.deepEqual(
          result.messages,
          expected.filter(entry => entry.kind === 'message').map(entry => entry.value),
        );
        assert.deepEqual(
          result.junk,
          expected.filter(entry => entry.kind === 'junk').map(entry => entry.value),
        );
        assert.deepEqual(result.errors, []);
        assert.equal(result.tapped.length, result.messages.length);
      },
    ),
    { numRuns: 500, seed: 4 },
  );
});

test('a chunk may end anywhere, within a character too', async () => {
  const sent = { jsonrpc: '2.0', method: 'm', params: { text: 'aé漢🎉\u2028 end' } };
  const bytes = Buffer.from(`${JSON.stringify(sent)}\r\n`);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { messages, junk: noise } = await read(split(bytes, [cut]));
    assert.deepEqual({ messages, noise }, { messages: [sent], noise: [] }, `cut at ${cut}`);
  }
  const { messages } = await read(Array.from(bytes, byte => Buffer.from([byte])));
  assert.deepEqual(messages, [sent]);
});

test('long lines are read alike, with and without characters of several bytes', async () => {
  for (const end of ['', 'é', '漢🎉']) {
    const sent = { jsonrpc: '2.0', method: 'm', params: { text: 'x'.repeat(100_000) + end } };
    const { messages } = await read([Buffer.from(`${JSON.stringify(sent)}\r\n`)]);
    assert.deepEqual(messages, [sent]);
  }
});

test('bytes that are no UTF-8 spoil their own characters only', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"method":"a","params":{"text":"'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('"}}\n{"method":"b"}\n'),
  ]);
  const { messages } = await read([bytes]);
  assert.deepEqual(messages, [{ method: 'a', params: { text: '��' } }, { method: 'b' }]);
});

test('text before a message on its line is put aside', async () => {
  const { messages, junk: noise } = await read([
    Buffer.from(
      'Thinking...{"jsonrpc":"2.0","id":0,"result":{}}\n\ufeff{"jsonrpc":"2.0","id":1}\n',
    ),
  ]);
  assert.deepEqual(messages, [
    { jsonrpc: '2.0', id: 0, result: {} },
    { jsonrpc: '2.0', id: 1 },
  ]);
  assert.deepEqual(noise, ['Thinking...']);
});

test('messages without a line end between them, text after one, and a byte order mark', async () => {
  const first = { id: 0, jsonrpc: '2.0', result: { text: 'a } { "b' } };
  const second = { jsonrpc: '2.0', method: 'm', params: {} };
  const { messages, junk: noise } = await read([
    Buffer.from(
      `\ufeff{"id":7,"result":null}\n${JSON.stringify(first)}${JSON.stringify(second)}\n` +
        `{log} ${JSON.stringify(first)} done\n{"jsonrpc":"2.0","id":\n`,
    ),
  ]);
  assert.deepEqual(messages, [{ id: 7, result: null }, first, second, first]);
  assert.deepEqual(noise, ['{log}   done', '{"jsonrpc":"2.0","id":']);
});

test('a batch is taken apart', async () => {
  const { messages, junk: noise } = await read([
    Buffer.from('[{"id":1,"result":{}},{"method":"m"}]\n[{"id":1},3]\n'),
  ]);
  assert.deepEqual(messages, [{ id: 1, result: {} }, { method: 'm' }]);
  assert.deepEqual(noise, ['[{"id":1},3]']);
});

test('a long junk line is cut', async () => {
  const { junk: noise } = await read([Buffer.from(`${'x'.repeat(10_000)}\n`)]);
  assert.equal(noise[0]?.length, 2001);
});

test('a line as long as the cap passes, a longer one is left out', async () => {
  const fits = JSON.stringify({ method: 'x'.repeat(1000) });
  for (const end of ['\n', '\r\n', '']) {
    const { messages } = await read([Buffer.from(fits + end)], fits.length);
    assert.deepEqual(messages, [JSON.parse(fits)]);
  }
  for (const chunkSize of [1, 7, 4096]) {
    for (const end of ['\n', '\r\n']) {
      const bytes = Buffer.from(`{"method":"first"}\n ${fits}${end}{"method":"after"}\n`);
      const chunks = split(
        bytes,
        Array.from(
          { length: Math.floor(bytes.length / chunkSize) },
          (_, index) => index * chunkSize,
        ),
      );
      const { messages, errors } = await read(chunks, fits.length);
      assert.equal(messages.length, 3);
      const [first, second, third] = messages as { method: string; params?: unknown }[];
      assert.deepEqual([first?.method, third?.method], ['first', 'after']);
      assert.ok(second?.params instanceof LeftOut);
      assert.equal(second.params.bytes, fits.length + 1);
      assert.deepEqual(errors, []);
    }
  }
});

test('an endless line of no message is told at once, and its end is found', async () => {
  const stream = new PassThrough();
  const noise: string[] = [];
  const messages: unknown[] = [];
  const reader = new NdjsonReader(stream, {
    maxLineBytes: 100_000,
    onJunk: line => noise.push(line),
  });
  const closed = new Promise<void>(resolve => reader.onClose(resolve));
  reader.listen(received => messages.push(received));
  const chunk = Buffer.alloc(10_000, 'x');
  for (let written = 0; written < 100; written++) {
    stream.write(chunk);
    await new Promise(resolve => setImmediate(resolve));
    if (written === 20) assert.equal(noise.length, 1);
  }
  stream.end('\n{"method":"after"}');
  await closed;
  assert.deepEqual(messages, [{ method: 'after' }]);
  assert.equal(noise.length, 1);
});

// Scanning the pending bytes again with every chunk would look at 2 TB here.
test('a large line in small chunks takes linear time', { timeout: 30_000 }, () => {
  const size = 16 * 1024 * 1024;
  for (const maxLineBytes of [size + 10, 1024 * 1024]) {
    const lines: number[] = [];
    const splitter = new LineSplitter({
      maxLineBytes,
      onLine: line => lines.push(line.length),
      onLongLineBegun() {},
      onLongLine: ({ bytes }) => lines.push(bytes),
      wantsMore: () => true,
    });
    const chunk = Buffer.alloc(64, 'x');
    for (let sent = 0; sent < size; sent += chunk.length) splitter.push(chunk);
    assert.deepEqual(lines, []);
    splitter.push(Buffer.from('\nnext\n'));
    assert.deepEqual(lines, [size, 4]);
  }
});

test('while it is paused nothing is delivered and whoever writes has to wait; then all of it', async () => {
  const stream = new PassThrough();
  const methods: number[] = [];
  const reader = new NdjsonReader(stream, { maxLineBytes: 1000, onJunk() {} });
  const closed = new Promise<void>(resolve => reader.onClose(resolve));
  reader.listen(received => {
    methods.push(Number((received as unknown as { method: string }).method));
    if (methods.length === 3) reader.pause();
  });
  const line = (index: number) => `{"method":"${index}"}\n`;
  stream.write([0, 1, 2, 3, 4].map(line).join(''));
  let sent = 5;
  while (stream.write(line(sent++)));
  assert.deepEqual(methods, [0, 1, 2]);
  stream.end(line(sent++));
  reader.resume();
  await closed;
  assert.deepEqual(
    methods,
    Array.from({ length: sent }, (_, index) => index),
  );
});

test('a listener that throws does not lose the messages after', async () => {
  const stream = Readable.from([Buffer.from('{"method":"a"}\n{"method":"b"}\n')], {
    objectMode: false,
  });
  const reader = new NdjsonReader(stream, { maxLineBytes: 1000, onJunk() {} });
  const errors: Error[] = [];
  const seen: unknown[] = [];
  const closed = new Promise<void>(resolve => reader.onClose(resolve));
  reader.onError(error => errors.push(error));
  reader.listen(received => {
    seen.push(received);
    throw new Error('listener');
  });
  await closed;
  assert.equal(seen.length, 2);
  assert.deepEqual(
    errors.map(error => error.message),
    ['listener', 'listener'],
  );
});

/** `bytes` cut at the given places (modulo its length). */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks: Buffer[] = [];
  let start = 0;
  for (const place of [...places, bytes.length]) {
    // Readable.from copies nothing: give each chunk memory of its own, as a pipe does.
    if (place > start) chunks.push(Buffer.from(bytes.subarray(start, place)));
    start = place;
  }
  return chunks;
}
