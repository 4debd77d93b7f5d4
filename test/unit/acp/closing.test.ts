import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { AcpConnection } from '../../../src/acp/rpc/connection';
import { ErrorCode } from '../../../src/acp/rpc/errors';
import { stdioTransport } from '../../../src/acp/transport/stdioTransport';
import { handlers, RawPeer, RecordingLogger } from './rawPeer';

const SESSION = { cwd: '/w', mcpServers: [] };
const CLOSED = { code: ErrorCode.connectionClosed };

test('the end of stdout is told once, after all before it, and rejects what is open', async () => {
  const seen: string[] = [];
  const peer = new RawPeer({ sessionUpdate: ({ update }) => seen.push(update.sessionUpdate) });
  peer.connection.onDidClose(() => seen.push('closed'));
  const answered = peer.connection.newSession(SESSION).then(() => seen.push('answered'));
  const open = peer.connection.prompt({ sessionId: 's', prompt: [] });
  const { id } = await peer.next();
  peer.send({ id, result: { sessionId: 's' } });
  peer.update({ sessionUpdate: 'a' });
  peer.toClient.end(
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"b"}}}',
  );
  await assert.rejects(open, CLOSED);
  await answered;
  assert.deepEqual(seen, ['answered', 'a', 'b', 'closed']);
  assert.equal(peer.connection.closeReason, undefined);
  await assert.rejects(peer.connection.newSession(SESSION), CLOSED);
  await assert.rejects(peer.connection.cancel({ sessionId: 's' }), CLOSED);
});

test('dispose rejects what is open, and later requests; it is no close', async () => {
  const peer = new RawPeer({ sessionUpdate: () => assert.fail('disposed') });
  peer.connection.onDidClose(() => assert.fail('must not fire'));
  const open = [
    peer.connection.newSession(SESSION),
    peer.connection.prompt({ sessionId: 's', prompt: [] }),
    peer.connection.newSession(SESSION, new AbortController().signal),
  ];
  peer.update({ sessionUpdate: 'late' });
  peer.connection.dispose();
  peer.connection.dispose();
  peer.update({ sessionUpdate: 'later' });
  for (const request of open) await assert.rejects(request, CLOSED);
  await assert.rejects(peer.connection.newSession(SESSION), CLOSED);
  await assert.rejects(peer.connection.cancel({ sessionId: 's' }), CLOSED);
  peer.toClient.end();
  await new Promise(resolve => peer.toClient.once('end', resolve));
});

/** A real process that runs `script` with `send(message)` and `onLine(handler)` at hand. */
function agent(script: string) {
  const prelude = `
    const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const onLine = handler => require('node:readline').createInterface({ input: process.stdin })
      .on('line', line => handler(JSON.parse(line)));
  `;
  const child = spawn(process.execPath, ['-e', prelude + script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const logger = new RecordingLogger();
  const updates: string[] = [];
  const connection = new AcpConnection(
    stdioTransport(child.stdout, child.stdin, { maxLineBytes: 1e8, onJunk() {} }),
    handlers({ sessionUpdate: ({ update }) => updates.push(update.sessionUpdate) }),
    { logger },
  );
  const closed = new Promise<void>(resolve => connection.onDidClose(resolve));
  return { child, connection, closed, updates };
}

test('an agent that exits in the middle of a turn closes; its last words are heard', async () => {
  const { connection, closed, updates } = agent(`
    onLine(message => {
      for (let n = 0; n < 1000; n++) {
        send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'u' } } });
      }
      send({ id: message.id, result: { stopReason: 'refusal' } });
      process.stdout.write('', () => process.exit(3));
    });
  `);
  const prompt = connection.prompt({ sessionId: 's', prompt: [] });
  assert.deepEqual(await prompt, { stopReason: 'refusal' });
  assert.equal(updates.length, 1000);
  await closed;
});

test('an agent that exits at once closes the connection, whatever is being written', async () => {
  const { connection, closed } = agent('process.exit(1)');
  const requests = Array.from({ length: 20 }, () =>
    connection.prompt({
      sessionId: 's',
      prompt: [{ type: 'text', text: 'x'.repeat(100_000) }],
    }),
  );
  for (const request of requests) await assert.rejects(request, CLOSED);
  await closed;
});

test('an agent that closes its stdin but lives on closes the connection', async () => {
  const { child, connection, closed } = agent(`
    require('node:fs').closeSync(0);
    send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'ready' } } });
    setInterval(() => {}, 1000);
  `);
  try {
    const open = connection.newSession(SESSION);
    const rejected = assert.rejects(open, CLOSED);
    // Fill the pipe until the kernel says that nobody reads.
    let failed = false;
    while (!failed) {
      await connection
        .prompt({ sessionId: 's', prompt: [{ type: 'text', text: 'x'.repeat(1_000_000) }] })
        .catch(() => (failed = true));
    }
    await closed;
    await rejected;
  } finally {
    child.kill();
  }
});
