import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { NdjsonWriter } from '../../../src/acp/transport/ndjsonWriter';

const message = (value: unknown) => ({ jsonrpc: '2.0', value });

test('one line a message, in the order of the calls, line ends escaped', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      setImmediate(done);
    },
  });
  const tapped: string[] = [];
  const writer = new NdjsonWriter(stream, traffic => tapped.push(traffic.json));
  await Promise.all(['a\nb', '\u2028', '漢\ud800'].map(value => writer.write(message(value))));
  assert.equal(lines.join(''), tapped.map(json => `${json}\n`).join(''));
  assert.deepEqual(
    lines.map(line => JSON.parse(line) as unknown),
    [message('a\nb'), message('\u2028'), message('漢\ud800')],
  );
});

test('a write waits until the stream has passed it on', async () => {
  let release: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      release = done;
    },
  });
  const writer = new NdjsonWriter(stream);
  let written = 0;
  const writes = [1, 2].map(value => writer.write(message(value)).then(() => written++));
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(written, 0);
  release?.();
  await writes[0];
  assert.equal(written, 1);
  release?.();
  await writes[1];
});

test('a process that stops reading closes the writer once; later writes reject', async () => {
  const child = spawn(process.execPath, ['-e', 'process.exit(0)'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const writer = new NdjsonWriter(child.stdin);
  let closes = 0;
  const closed = new Promise<void>(resolve =>
    writer.onClose(() => {
      closes++;
      resolve();
    }),
  );
  await once(child, 'exit');
  const attempts = Array.from({ length: 3 }, () =>
    writer.write(message('x'.repeat(200_000))).then(
      () => 'written',
      () => 'rejected',
    ),
  );
  await closed;
  assert.ok((await Promise.all(attempts)).includes('rejected'));
  await assert.rejects(writer.write(message('after')), /no longer reads/);
  writer.dispose();
  assert.equal(closes, 1);
});
