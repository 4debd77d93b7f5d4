import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ErrorCode, RequestError } from '../../../src/acp/rpc/errors';
import { RawPeer, text } from './rawPeer';

const SESSION = { cwd: '/w', mcpServers: [] };

/** What a promise rejected with; fails when it did not. */
async function rejection(promise: Promise<unknown>): Promise<RequestError> {
  const error: unknown = await promise.then(
    () => assert.fail('resolved'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RequestError);
  return error;
}

test('the first request has id 0, and is answered by 0 and by "0"', async () => {
  for (const id of [0, '0']) {
    const peer = new RawPeer();
    const answer = peer.connection.initialize({ protocolVersion: 1 });
    const request = await peer.next();
    assert.deepEqual(request, {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: 1 },
    });
    peer.send({ id, result: { protocolVersion: 1, agentInfo: { name: 'a', version: '1' } } });
    assert.equal((await answer).agentInfo?.name, 'a');
    peer.connection.dispose();
  }
});

test('an answer without a result, with a null error beside it, or null itself, is an answer', async () => {
  const peer = new RawPeer();
  for (const answer of [{}, { result: null }, { error: null }, { result: {}, error: null }]) {
    const done = peer.connection.setMode({ sessionId: 's', modeId: 'm' });
    const { id } = await peer.next();
    peer.send({ id, ...answer });
    await done;
  }
});

test('errors keep code and data of any shape; odd ones are read as far as they go', async () => {
  const peer = new RawPeer();
  const cases: [error: unknown, code: number, message: string, data: unknown][] = [
    [{ code: -32000, message: 'sign in', data: ['x'] }, -32000, 'sign in', ['x']],
    [{ code: 429, message: 'slow down', data: 'soon' }, 429, 'slow down', 'soon'],
    [{ code: '-32002', message: 'gone' }, -32002, 'gone', undefined],
    ['plain text', ErrorCode.internal, 'plain text', undefined],
    [{ message: { nested: 1 } }, ErrorCode.internal, '{"nested":1}', undefined],
    [{}, ErrorCode.internal, 'Unknown error', undefined],
    [true, ErrorCode.internal, 'true', undefined],
  ];
  for (const [error, code, message, data] of cases) {
    const failed = rejection(peer.connection.newSession(SESSION));
    const { id } = await peer.next();
    peer.send({ id, error });
    const actual = await failed;
    assert.deepEqual([actual.code, actual.message, actual.data], [code, message, data]);
  }
});

test('an answer of no use rejects, and the connection goes on', async () => {
  const peer = new RawPeer();
  for (const result of [null, 5, [], {}, { sessionId: '' }, { sessionId: {} }]) {
    const failed = rejection(peer.connection.newSession(SESSION));
    const { id } = await peer.next();
    peer.send({ id, result });
    const error = await failed;
    assert.equal(error.code, ErrorCode.internal);
    assert.match(error.message, /session\/new/);
  }
  const session = peer.connection.newSession(SESSION);
  peer.send({ id: (await peer.next()).id, result: { sessionId: 's' } });
  assert.equal((await session).sessionId, 's');
});

test('ids of both sides overlap without harm, and UUIDs are ids', async () => {
  const peer = new RawPeer({
    readTextFile: params => Promise.resolve({ content: `of ${params.path}` }),
  });
  const answer = peer.connection.newSession(SESSION);
  const { id } = await peer.next();
  assert.equal(id, 0);
  const params = { sessionId: 's', path: '/f' };
  for (const agentId of [0, '0', '2b1f0d0e-6a4f-4b8e-9a8a-0c5d1f0e7a11', -1, 1.5]) {
    const response = await peer.ask('fs/read_text_file', params, agentId);
    assert.deepEqual(response, { jsonrpc: '2.0', id: agentId, result: { content: 'of /f' } });
  }
  peer.send({ id, result: { sessionId: 's' } });
  assert.equal((await answer).sessionId, 's');
});

test('responses nobody waits for are logged and ignored', async () => {
  const peer = new RawPeer();
  peer.send({ id: 99, result: {} }, { id: null, error: { code: -32700, message: 'Parse error' } });
  const done = peer.connection.setMode({ sessionId: 's', modeId: 'm' });
  const { id } = await peer.next();
  peer.send({ id, result: {} }, { id, result: {} });
  await done;
  await peer.ask('x', {});
  const warnings = peer.logger.at('warn');
  assert.equal(warnings.length, 3);
  assert.match(warnings[0] ?? '', /\(99\)/);
  assert.match(warnings[1] ?? '', /Parse error/);
});

test('updates before a response are handled before it, those after it after its continuation', async () => {
  const order: string[] = [];
  const peer = new RawPeer({
    sessionUpdate: ({ update }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
        order.push(update.content.text);
      }
    },
  });
  const deep = async (): Promise<void> => {
    const hop = async (): Promise<unknown> => peer.connection.newSession(SESSION);
    await Promise.resolve(await hop());
    await Promise.resolve();
    order.push('response');
  };
  const done = deep();
  const { id } = await peer.next();
  const update = (value: string): object => ({
    method: 'session/update',
    params: { sessionId: 's', update: text(value) },
  });
  peer.send(
    update('1'),
    update('2'),
    { id, result: { sessionId: 's' } },
    update('3'),
    { id: 7, method: 'fs/unknown', params: {} },
    update('4'),
  );
  await done;
  await peer.next();
  await peer.ask('x', {});
  assert.deepEqual(order, ['1', '2', 'response', '3', '4']);
});

test('whatever comes in whatever chunks is handled in the order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('update', 'request', 'cancel', 'noise'), { maxLength: 60 }),
      fc.array(fc.nat({ max: 4 }), { maxLength: 60 }),
      async (kinds, pauses) => {
        const order: number[] = [];
        const peer = new RawPeer({
          sessionUpdate: ({ update }) => order.push(Number(update._meta?.['n'])),
          readTextFile: params => {
            order.push(params.line ?? -1);
            return Promise.resolve({ content: '' });
          },
        });
        for (const [n, kind] of kinds.entries()) {
          if (kind === 'update') peer.update({ sessionUpdate: 'new_kind', _meta: { n } });
          else if (kind === 'request') {
            const params = { sessionId: 's', path: '/f', line: n };
            peer.send({ id: n, method: 'fs/read_text_file', params });
          } else if (kind === 'cancel') {
            peer.send({ method: '$/cancel_request', params: { requestId: n - 1 } });
          } else peer.send('noise');
          for (let pause = pauses[n] ?? 0; pause > 0; pause--) {
            await new Promise(resolve => setImmediate(resolve));
          }
        }
        const closed = new Promise<void>(resolve => peer.connection.onDidClose(resolve));
        peer.toClient.end();
        await closed;
        const expected = [...kinds.keys()].filter(n => /update|request/.test(kinds[n] ?? ''));
        assert.deepEqual(order, expected);
      },
    ),
    { numRuns: 200, seed: 4 },
  );
});

test('what the specification does not know is answered -32601, and the session goes on', async () => {
  const peer = new RawPeer();
  const response = await peer.ask('elicitation/whatever', { a: 1 });
  assert.deepEqual(response['error'], {
    code: -32601,
    message: 'Method not found: elicitation/whatever',
    data: { method: 'elicitation/whatever' },
  });
  peer.send(
    { method: '_auth/status_update', params: {} },
    { method: '$/progress' },
    { method: '$/logTrace', params: null },
    { method: '$/setTrace', params: [1] },
    { id: {}, method: 'bad id' },
    { id: null, method: '_note' },
    { method: '' },
    { id: true },
  );
  assert.equal((await peer.ask('x', undefined))['id'], 'ask');
  assert.deepEqual(peer.logger.at('error'), []);
});

test('malformed parameters are answered -32602 in plain words', async () => {
  const peer = new RawPeer({ readTextFile: () => assert.fail('must not be called') });
  for (const params of [undefined, null, [], [1, { sessionId: 's', path: '/f' }], 'x', 5, {}]) {
    const { error } = (await peer.ask('fs/read_text_file', params)) as {
      error?: { code: number; message: string };
    };
    assert.deepEqual(error, { code: -32602, message: 'Invalid params: needs sessionId, path' });
  }
});

test('only a RequestError leaves; anything else is "Internal error", logged with its cause', async () => {
  const secret = new Error('ENOENT /home/me/.secret');
  const thrown: unknown[] = [secret, 'text', undefined, { message: 'object' }];
  const peer = new RawPeer({
    readTextFile: () => {
      throw thrown.shift();
    },
    writeTextFile: () => Promise.reject(new RequestError(-32002, 'No such file', { path: '/f' })),
  });
  for (let round = 0; round < 4; round++) {
    const response = await peer.ask('fs/read_text_file', { sessionId: 's', path: '/f' });
    assert.deepEqual(response['error'], { code: -32603, message: 'Internal error' });
  }
  assert.equal(peer.logger.causes[0], secret);
  assert.equal(peer.logger.at('error').length, 4);
  const params = { sessionId: 's', path: '/f', content: '' };
  assert.deepEqual((await peer.ask('fs/write_text_file', params))['error'], {
    code: -32002,
    message: 'No such file',
    data: { path: '/f' },
  });
  assert.equal(peer.logger.at('error').length, 4);
});

test('an update handler that throws does not lose the next update', async () => {
  const seen: string[] = [];
  const peer = new RawPeer({
    sessionUpdate: ({ update }) => {
      seen.push(update.sessionUpdate);
      throw new Error('handler');
    },
  });
  peer.update({ sessionUpdate: 'one' });
  peer.update({ sessionUpdate: 'two' });
  await peer.ask('x', {});
  assert.deepEqual(seen, ['one', 'two']);
  assert.equal(peer.logger.at('error').length, 2);
});

test('updates reach the handler guarded; unusable ones are logged, never thrown', async () => {
  const seen: unknown[] = [];
  const peer = new RawPeer({ sessionUpdate: params => seen.push(params) });
  const unusable = [
    undefined,
    null,
    [],
    'x',
    { sessionId: 's' },
    { sessionId: 's', update: null },
    { sessionId: 's', update: { sessionUpdate: 5 } },
    { sessionId: 's', update: { sessionUpdate: 'tool_call' } },
    { update: text('no session') },
  ];
  for (const params of unusable) peer.send({ method: 'session/update', params });
  peer.update({ sessionUpdate: 'of_tomorrow', value: [1] });
  await peer.ask('x', {});
  assert.deepEqual(seen, [
    { sessionId: 's', update: { sessionUpdate: 'of_tomorrow', value: [1] } },
  ]);
  assert.equal(peer.logger.at('warn').length, unusable.length);
});
