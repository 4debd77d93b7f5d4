import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, RequestError } from '../../../src/acp/rpc/errors';
import { RawPeer } from './rawPeer';

const SESSION = { cwd: '/w', mcpServers: [] };
const PERMISSION = {
  sessionId: 's',
  toolCall: { toolCallId: 't' },
  options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }],
};

/** A permission prompt that is open until its signal aborts. */
const untilCancelled = (
  _params: unknown,
  signal: AbortSignal,
): Promise<{ outcome: { outcome: 'cancelled' } }> =>
  new Promise(resolve => {
    const cancelled = (): void => resolve({ outcome: { outcome: 'cancelled' } });
    if (signal.aborted) cancelled();
    else signal.addEventListener('abort', cancelled);
  });

test('giving up on a request tells the agent and does not wait for it', async () => {
  const peer = new RawPeer();
  const controller = new AbortController();
  const answer = peer.connection.newSession(SESSION, controller.signal);
  const request = await peer.next();
  controller.abort();
  await assert.rejects(answer, { code: ErrorCode.requestCancelled });
  assert.deepEqual(await peer.next(), {
    jsonrpc: '2.0',
    method: '$/cancel_request',
    params: { requestId: request.id },
  });
  // The late answer, a result or an error, is nobody's business any more.
  peer.send({ id: request.id, result: { sessionId: 'late' } });
  const next = peer.connection.newSession(SESSION, new AbortController().signal);
  peer.send({ id: (await peer.next()).id, result: { sessionId: 'next' } });
  assert.equal((await next).sessionId, 'next');
  assert.deepEqual(peer.logger.at('error', 'warn'), []);
});

test('a signal that aborted before sends nothing; one that aborts after the answer neither', async () => {
  const peer = new RawPeer();
  await assert.rejects(peer.connection.newSession(SESSION, AbortSignal.abort()), {
    code: ErrorCode.requestCancelled,
  });
  const controller = new AbortController();
  const answer = peer.connection.newSession(SESSION, controller.signal);
  peer.send({ id: (await peer.next()).id, result: { sessionId: 's' } });
  await answer;
  controller.abort();
  void peer.connection.cancel({ sessionId: 's' });
  assert.equal((await peer.next()).method, 'session/cancel');
});

test('a prompt is cancelled by session/cancel, and waited for', async () => {
  const peer = new RawPeer();
  const answer = peer.connection.prompt({ sessionId: 's', prompt: [] });
  const { id } = await peer.next();
  await peer.connection.cancel({ sessionId: 's' });
  assert.deepEqual(await peer.next(), {
    jsonrpc: '2.0',
    method: 'session/cancel',
    params: { sessionId: 's' },
  });
  peer.send({ id, result: { stopReason: 'cancelled' } });
  assert.deepEqual(await answer, { stopReason: 'cancelled' });
});

test('the agent cancels its own request, by number, by UUID, or as LSP does', async () => {
  const peer = new RawPeer({ requestPermission: untilCancelled });
  const cancels = [
    { id: 3, cancel: { method: '$/cancel_request', params: { requestId: 3 } } },
    { id: 'u-1', cancel: { method: '$/cancel_request', params: { requestId: 'u-1' } } },
    { id: 0, cancel: { method: '$/cancelRequest', params: { id: 0 } } },
  ];
  for (const { id, cancel } of cancels) {
    // In one chunk: the request is cancelled before anything else could happen.
    peer.send({ id, method: 'session/request_permission', params: PERMISSION }, cancel);
    assert.deepEqual(await peer.next(), {
      jsonrpc: '2.0',
      id,
      result: { outcome: { outcome: 'cancelled' } },
    });
  }
});

test('a handler may answer a cancelled request with -32800', async () => {
  const peer = new RawPeer({
    waitForTerminalExit: (_params, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () =>
          reject(new RequestError(ErrorCode.requestCancelled, 'Request cancelled')),
        );
      }),
  });
  const params = { sessionId: 's', terminalId: 't' };
  peer.send({ id: 1, method: 'terminal/wait_for_exit', params });
  peer.send({ method: '$/cancel_request', params: { requestId: 1 } });
  assert.deepEqual((await peer.next())['error'], { code: -32800, message: 'Request cancelled' });
});

test('cancellations of nothing, or of no sense, do no harm', async () => {
  const peer = new RawPeer();
  for (const params of [undefined, null, [], {}, { requestId: {} }, { requestId: 42 }]) {
    peer.send({ method: '$/cancel_request', params }, { method: '$/cancelRequest', params });
  }
  assert.equal((await peer.ask('x', {})).id, 'ask');
  assert.deepEqual(peer.logger.at('error', 'warn'), []);
});

test('open requests of the agent are aborted when the connection goes', async () => {
  for (const end of ['close', 'dispose'] as const) {
    let opened: (() => void) | undefined;
    const open = new Promise<void>(resolve => (opened = resolve));
    const aborted = new Promise<void>(resolve => {
      const peer = new RawPeer({
        requestPermission: (params, signal) => {
          opened?.();
          signal.addEventListener('abort', () => resolve());
          return untilCancelled(params, signal);
        },
      });
      peer.send({ id: 1, method: 'session/request_permission', params: PERMISSION });
      void open.then(() => {
        if (end === 'close') peer.toClient.end();
        else peer.connection.dispose();
      });
    });
    await aborted;
  }
});
