/** Messages longer than allowed: what is made of them, and that nothing after them is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ErrorCode } from '../../../src/acp/rpc/errors';
import { RawPeer, text, type Received } from './rawPeer';

const LIMIT = 20_000;
const HUGE = 'x"\\{}[],:é'.repeat(3000);
const SESSION = { cwd: '/w', mcpServers: [] };

interface Seen {
  readonly sessionId: string;
  readonly update: Record<string, unknown>;
}

function peerWithUpdates(): { peer: RawPeer; seen: Seen[] } {
  const seen: Seen[] = [];
  const peer = new RawPeer(
    { sessionUpdate: ({ sessionId, update }) => seen.push({ sessionId, update: { ...update } }) },
    { maxLineBytes: LIMIT },
  );
  return { peer, seen };
}

test('an update that is too long becomes a notice of its session, and the next is read', async () => {
  const { peer, seen } = peerWithUpdates();
  peer.update(text(HUGE), 'a');
  peer.update(text('after'), 'b');
  await peer.ask('unknown/method', {});
  assert.deepEqual(
    seen.map(({ sessionId, update }) => [sessionId, update['sessionUpdate']]),
    [
      ['a', 'notice'],
      ['b', 'agent_message_chunk'],
    ],
  );
  const notice = JSON.stringify(seen[0]?.update);
  assert.match(notice, /skipped: it was \d+\.\d KB, more than parley\.limits\.lineBytes allows/);
  assert.match(notice, /allows 19\.5 KB\. Raise it/);
});

test('how a tool call goes on is known without its output', async () => {
  const { peer, seen } = peerWithUpdates();
  const output = [{ type: 'content', content: { type: 'text', text: HUGE } }];
  const call = { toolCallId: 't1', title: 'Read', status: 'completed' };
  // Its short fields may come before or after the long one.
  peer.update({ sessionUpdate: 'tool_call_update', ...call, content: output });
  peer.update({
    content: output,
    rawOutput: { status: 'no', list: [HUGE] },
    ...call,
    sessionUpdate: 'tool_call',
  });
  await peer.ask('unknown/method', {});
  assert.deepEqual(
    seen.map(({ update }) => update).filter(update => update['sessionUpdate'] !== 'notice'),
    [
      { sessionUpdate: 'tool_call_update', ...call },
      { sessionUpdate: 'tool_call', ...call },
    ],
  );
});

test('an update whose session cannot be told is shown where the agent spoke last', async () => {
  const { peer, seen } = peerWithUpdates();
  peer.update(text('before'), 'a');
  peer.send(
    `{"jsonrpc":"2.0","method":"session/update","params":{"x":"${'y'.repeat(LIMIT)}","sessionId":"b","z":"${'y'.repeat(LIMIT)}"}}`,
  );
  await peer.ask('unknown/method', {});
  assert.deepEqual(
    seen.map(({ sessionId, update }) => [sessionId, update['sessionUpdate']]),
    [
      ['a', 'agent_message_chunk'],
      ['a', 'notice'],
    ],
  );
});

test('an answer that is too long fails its request with a reason; the connection stays', async () => {
  const { peer } = peerWithUpdates();
  const asked = peer.connection.newSession(SESSION);
  const { id } = await peer.next();
  peer.send({ id, result: { sessionId: 's', _meta: { HUGE } } });
  await assert.rejects(asked, {
    code: ErrorCode.internal,
    message: /answer was skipped: it was .* KB, and parley\.limits\.lineBytes allows 19\.5 KB/,
  });
  const again = peer.connection.newSession(SESSION);
  const next = await peer.next();
  // Its id may come last.
  peer.send(`{"result":{"x":${JSON.stringify(HUGE)}},"id":"${next.id}"}`);
  await assert.rejects(again, { code: ErrorCode.internal, message: /skipped/ });
  const third = peer.connection.newSession(SESSION);
  peer.send({ id: (await peer.next()).id, result: { sessionId: 's3' } });
  assert.equal((await third).sessionId, 's3');
});

test('a request that is too long is refused with a sentence for the agent', async () => {
  const { peer } = peerWithUpdates();
  const params = { sessionId: 's', path: '/w/a', content: HUGE };
  for (const id of [7, 'seven']) {
    const { error } = await peer.ask('fs/write_text_file', params, id);
    const sent = JSON.stringify({ jsonrpc: '2.0', id, method: 'fs/write_text_file', params });
    assert.deepEqual(error, {
      code: ErrorCode.invalidRequest,
      message: `The message is ${Buffer.byteLength(sent)} bytes long; the user's setting parley.limits.lineBytes allows ${LIMIT}`,
    });
  }
});

type Kind = 'answer' | 'request' | 'notification';

/** A message with its members in any order, at every level; the long ones among them. */
const shuffled = (fields: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .shuffledSubarray(Object.entries(fields), { minLength: Object.keys(fields).length })
    .map(entries => Object.fromEntries(entries));

const junk = fc.dictionary(
  fc.string({ unit: 'binary', maxLength: 10 }).filter(key => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 4 },
);

const huge = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }))
  .map(([times, piece]) => piece.repeat(Math.ceil((LIMIT * times) / piece.length)));

test('whatever the order of its members, it is known what a long message was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Kind>('answer', 'request', 'notification'),
      huge,
      junk,
      fc.infiniteStream(fc.nat()),
      async (kind, long, other, random) => {
        const order = (fields: Record<string, unknown>) =>
          Object.fromEntries(
            Object.entries(fields)
              .map(entry => [Number(random.next().value), entry] as const)
              .sort(([a], [b]) => a - b)
              .map(([, entry]) => entry),
          );
        const { peer, seen } = peerWithUpdates();
        const asked = peer.connection.newSession(SESSION);
        const { id } = await peer.next();
        const body = order({ long, other, list: [other, [long]], id: 'inner', method: 'inner' });
        const send = (fields: Record<string, unknown>) =>
          peer.send(JSON.stringify(order({ jsonrpc: '2.0', ...fields })));
        if (kind === 'answer') {
          send({ id, result: body });
          await assert.rejects(asked, { message: /skipped/ });
        } else if (kind === 'request') {
          send({ id: 'r', method: 'terminal/create', params: body });
          const answer: Received = await peer.next();
          assert.equal(answer.id, 'r');
          assert.match(JSON.stringify(answer['error']), /-32600/);
        } else {
          const update = order({ ...body, sessionUpdate: 'agent_message_chunk' });
          send({ method: 'session/update', params: order({ sessionId: 's', update }) });
        }
        peer.update(text('after'), 's');
        await peer.ask('unknown/method', {});
        assert.deepEqual(
          seen.map(({ update }) => update['sessionUpdate']),
          [...(kind === 'notification' ? ['notice'] : []), 'agent_message_chunk'],
        );
        peer.connection.dispose();
        await asked.catch(() => undefined);
      },
    ),
    { numRuns: 100, seed: 4 },
  );
});

const line = fc.oneof(
  fc.string({ maxLength: 30 }).map(words => ({ kind: 'short' as const, words })),
  fc
    .tuple(huge, shuffled({ a: 1, b: 2, c: 3 }))
    .map(([words, rest]) => ({ kind: 'long' as const, words, rest })),
  huge.map(words => ({ kind: 'noise' as const, words: words.replaceAll(/[\r\n{]/g, '.') })),
);

test('whatever lines come, split anywhere, every later message arrives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (lines, cuts) => {
        const { peer, seen } = peerWithUpdates();
        const params = (update: object) => ({ sessionId: 's', update });
        const bytes = Buffer.from(
          lines
            .map(([entry, end]) => {
              if (entry.kind === 'noise') return entry.words + end;
              const more = entry.kind === 'long' ? entry.rest : {};
              const update = { ...more, ...text(entry.words) };
              const method = 'session/update';
              return JSON.stringify({ jsonrpc: '2.0', method, params: params(update) }) + end;
            })
            .join(''),
        );
        const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort(
          (a, b) => a - b,
        );
        let start = 0;
        for (const place of [...places, bytes.length]) {
          if (place > start) peer.toClient.write(bytes.subarray(start, place));
          start = place;
        }
        await peer.ask('unknown/method', {});
        const words = seen.map(({ update }) =>
          update['sessionUpdate'] === 'notice'
            ? 'NOTICE'
            : (update['content'] as { text: string }).text,
        );
        const expected = lines.flatMap(([entry]) =>
          entry.kind === 'noise' ? [] : [entry.kind === 'short' ? entry.words : 'NOTICE'],
        );
        assert.deepEqual(words, expected);
        peer.connection.dispose();
      },
    ),
    { numRuns: 100, seed: 4 },
  );
});
