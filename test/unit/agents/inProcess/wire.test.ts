/** The wire in memory between an agent that runs inside Parley and the rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcpConnection } from '../../../../src/acp/rpc/connection';
import type { ClientHandlers } from '../../../../src/acp/rpc/clientHandlers';
import { ReadingPace } from '../../../../src/acp/transport/readingPace';
import {
  inProcessEndpoint,
  type InProcessClient,
} from '../../../../src/agents/backends/inProcess/agentSide';
import { Wire } from '../../../../src/agents/backends/inProcess/wire';
import { nullLogger } from '../../../../src/base/logger';
import { eventually } from '../../../workbench/eventually';

const piece = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } };

test('updates that an agent tells together are read together, before what it asks after them', async () => {
  let client: InProcessClient | undefined;
  const endpoint = inProcessEndpoint('Agent', nullLogger, made => {
    client = made;
    return {
      request: () => Promise.resolve({}),
      notification() {},
      output: () => [],
      stop: () => Promise.resolve(),
    };
  });
  const pace = new ReadingPace({ perMinute: () => 0, now: Date.now, onSlowed() {} });
  const transport = endpoint.transport({ maxLineBytes: 1 << 20, onJunk() {}, tap() {}, pace });
  // How many updates were read each time that something was.
  const reads: number[] = [];
  let isReading = false;
  const handlers: Partial<ClientHandlers> = {
    sessionUpdate() {
      if (!isReading) reads.push(0);
      isReading = true;
      queueMicrotask(() => (isReading = false));
      reads[reads.length - 1]! += 1;
    },
    requestPermission() {
      reads.push(-1);
      return Promise.resolve({ outcome: { outcome: 'cancelled' } });
    },
  };
  const connection = new AcpConnection(transport, handlers as ClientHandlers, {
    logger: nullLogger,
  });
  for (let n = 0; n < 50; n++) await client?.update('s', piece);
  const toolCall = { toolCallId: 'call', title: 'Call' };
  await client?.request('session/request_permission', { sessionId: 's', toolCall, options: [] });
  assert.deepEqual(reads, [50, -1]);
  connection.dispose();
  await endpoint.stop();
});

test('what is written while something is dealt with comes out as one', async () => {
  const wire = new Wire();
  const chunks: string[] = [];
  wire.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  for (const line of ['one ', 'two ', 'three']) {
    wire.gather();
    wire.write(line);
    await wire.room();
  }
  await eventually('it was read', () => chunks.length > 0);
  wire.end();
  assert.deepEqual(chunks, ['one two three']);
});

test('who writes what nobody reads has to wait, and nothing is lost', async () => {
  const wire = new Wire();
  const line = 'x'.repeat(1000);
  let written = 0;
  const writing = (async () => {
    for (; written < 1000; written++) {
      wire.gather();
      wire.write(line);
      await wire.room();
    }
    wire.end();
  })();
  await eventually('there is no room', () => wire.writableNeedDrain);
  assert.ok(written < 200, `${written} of 1000 kilobytes wait`);
  let bytes = 0;
  for await (const chunk of wire) bytes += (chunk as Buffer).length;
  await writing;
  assert.equal(bytes, 1_000_000);
});

test('who waits for room goes on when the wire is gone', async () => {
  const wire = new Wire();
  while (wire.write('x'.repeat(1000)));
  const waiting = wire.room();
  wire.destroy();
  await waiting;
});
