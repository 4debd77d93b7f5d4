/** What is kept of the traffic with agents, what of it leaves in a report, and what the timeline makes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Masker } from '../../../src/agents/masker';
import { trafficOfChat } from '../../../src/agents/traffic/chatTraffic';
import { recordingOfChat } from '../../../src/agents/traffic/exportTraffic';
import { lastRun } from '../../../src/agents/traffic/lastRun';
import { maskedJson } from '../../../src/agents/traffic/maskedJson';
import {
  formatRecording,
  parseRecording,
  type JsonObject,
  type RecordedMessage,
} from '../../../src/agents/traffic/recording';
import { timelineOf } from '../../../src/agents/traffic/timeline';
import { TrafficRing } from '../../../src/agents/traffic/trafficRing';
import { parseTrafficIntent } from '../../../src/shared/trafficPage';

const c2a = (message: JsonObject, t = 0): RecordedMessage => ({ t, from: 'client', message });
const a2c = (message: JsonObject, t = 0): RecordedMessage => ({ t, from: 'agent', message });

test('the ring keeps the newest messages within its bounds, and counts the others', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 200 }), lines => {
      const ring = new TrafficRing(() => 0, 300, 20);
      for (const json of lines) ring.add({ direction: 'send', json });
      const kept = ring.entries.map(({ json }) => json);
      assert.deepEqual(kept, lines.slice(lines.length - kept.length));
      assert.equal(ring.leftOut, lines.length - kept.length);
      const units = (list: readonly string[]) => list.reduce((sum, { length }) => sum + length, 0);
      assert.ok(kept.length <= 20 && units(kept) <= 300);
      const oneMore = lines.slice(lines.length - kept.length - 1);
      assert.ok(kept.length === lines.length || oneMore.length > 20 || units(oneMore) > 300);
    }),
  );
});

test('the ring lets go of what it dropped', () => {
  const ring = new TrafficRing(() => 0, 100, 5_000);
  for (let count = 0; count < 20_000; count += 1) ring.add({ direction: 'receive', json: '{}' });
  assert.equal(ring.entries.length, 50);
  assert.equal(ring.leftOut, 19_950);
});

test('a recording is read back as it was written', () => {
  const message = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
  const entry = fc.record({
    t: fc.nat(),
    from: fc.constantFrom('client' as const, 'agent' as const),
    message,
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), messages => {
      const text = formatRecording({ head: { agent: 'Claude' }, messages });
      assert.equal(text.split('\n').length, messages.length + 2);
      const read = parseRecording(text);
      assert.equal(read.head.agent, 'Claude');
      assert.deepEqual(read.messages, JSON.parse(JSON.stringify(messages)));
    }),
  );
});

test('what is no recording is refused with its line', () => {
  for (const text of ['', '\n', '{"t":0,"dir":"meta"}']) {
    assert.throws(() => parseRecording(text), /no messages/);
  }
  for (const text of ['{"t":0,"dir":"meta"}\nhello', '[]', '{"t":1', 'null']) {
    assert.throws(() => parseRecording(text), /Line \d is not recorded protocol traffic/);
  }
});

test('whatever the secret, what leaves is JSON and has none of it', () => {
  const masker = new Masker();
  const secrets = ['{"token":"abc"}', 'sk-very-secret', '12345678', '","type":"x'];
  masker.add(secrets);
  const value = fc.oneof(fc.constantFrom(...secrets), fc.string(), fc.constant(12345678));
  const message = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom(...secrets)),
    fc.oneof(value, fc.array(value), fc.dictionary(fc.string(), value)),
  ) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(message, shown => {
      const text = JSON.stringify(maskedJson(shown, masker.mask));
      const read = JSON.parse(text) as unknown;
      for (const secret of secrets.slice(1, 3)) assert.ok(!text.includes(secret));
      assert.deepEqual(read, JSON.parse(text));
    }),
  );
});

test('a secret that is known only at the export is masked in what was said before', () => {
  const ring = new TrafficRing();
  const params = { sessionId: 's', prompt: [{ type: 'text', text: 'key sk-late-secret' }] };
  ring.add({
    direction: 'send',
    json: JSON.stringify({ id: 1, method: 'session/prompt', params }),
  });
  // Two messages in a line, and text that is none.
  const lines =
    '{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s"}}';
  ring.add({ direction: 'receive', json: lines });
  ring.add({ direction: 'receive', json: '{"a long one… (99999999 bytes, left out) …"}' });
  const masker = new Masker();
  masker.add(['sk-late-secret']);
  const recording = recordingOfChat({
    agent: 'Claude',
    version: '1',
    ring,
    sessionId: 's',
    others: new Set(),
    mask: masker.mask,
    now: { time: 1_000_000, ring: performance.now() },
  });
  assert.ok(recording);
  assert.equal(recording.messages.length, 3);
  assert.doesNotMatch(formatRecording(recording), /sk-late/);
  assert.match(recording.head.at ?? '', /^1970-01-01T00:16:/);
});

test('of what an agent said, a chat gets its own: its sessions, those of its subagents, and what opened them', () => {
  const opened = (id: number, sessionId: string) => [
    c2a({ id, method: 'session/new', params: { cwd: `/${sessionId}` } }),
    a2c({ id, result: { sessionId } }),
  ];
  const update = (sessionId: string) => a2c({ method: 'session/update', params: { sessionId } });
  const asked = (id: number, sessionId: string) => [
    a2c({ id, method: 'fs/read_text_file', params: { sessionId, path: `/${sessionId}` } }),
    c2a({ id, result: { content: `text of ${sessionId}` } }),
  ];
  const messages = [
    c2a({ id: 0, method: 'initialize', params: {} }),
    a2c({ id: 0, result: { protocolVersion: 1 } }),
    ...opened(1, 'mine'),
    ...opened(2, 'other'),
    c2a({ id: 3, method: 'session/list', params: {} }),
    a2c({ id: 3, result: { sessions: [{ sessionId: 'other', title: 'Secret plans' }] } }),
    c2a({ id: 4, method: 'session/load', params: { sessionId: 'third' } }),
    a2c({ id: 4, result: {} }),
    ...['mine', 'other', 'third', 'child', 'older'].map(update),
    ...asked(7, 'mine'),
    ...asked(8, 'other'),
  ];
  const text = JSON.stringify(trafficOfChat(messages, 'mine', new Set(['older'])));
  assert.match(text, /"initialize".*"protocolVersion".*"mine".*"child".*text of mine/);
  assert.doesNotMatch(text, /other|third|older|Secret/);
});

test('a recording that lost its beginning gets one', () => {
  const prompt = c2a({ id: 9, method: 'session/prompt', params: { sessionId: 's', prompt: [] } });
  const { messages, opening } = lastRun([prompt]);
  assert.equal(opening.sessionId, 's');
  assert.deepEqual(
    messages.map(({ message }) => message['method'] ?? 'answer'),
    ['initialize', 'answer', 'session/new', 'answer', 'session/prompt'],
  );
});

test('of an agent that was started again, the last start that was asked for something is played', () => {
  const run = (sessionId: string, isAsked: boolean) => [
    c2a({ id: 0, method: 'initialize', params: { protocolVersion: 2 } }),
    a2c({ id: 0, error: { code: -32602, message: 'version' } }),
    c2a({ id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
    a2c({ id: 1, result: { protocolVersion: 1 } }),
    c2a({ id: 2, method: 'session/new', params: { cwd: `/${sessionId}` } }),
    a2c({ id: 2, result: { sessionId } }),
    ...(isAsked ? [c2a({ id: 3, method: 'session/prompt', params: { sessionId } })] : []),
  ];
  const { messages, opening } = lastRun([...run('a', true), ...run('b', true), ...run('c', false)]);
  assert.deepEqual([opening.sessionId, opening.cwd, messages.length], ['b', '/b', 7]);
});

test('the timeline says how long answers took and how large messages are', () => {
  const rows = timelineOf([
    c2a({ id: 1, method: 'session/prompt', params: {} }, 1_000),
    a2c({ method: 'session/update', params: { update: { sessionUpdate: 'plan' } } }, 1_040),
    // The same id of the other side is another request.
    a2c({ id: 1, method: 'fs/read_text_file', params: { path: 'ü' } }, 1_050),
    c2a({ id: 1, result: {} }, 1_060),
    a2c({ id: 1, error: { code: 1 } }, 1_500),
    a2c({ id: 99, result: {} }, 1_600),
  ]);
  assert.deepEqual(
    rows.map(({ t, kind, what, latency }) => [t, kind, what, latency]),
    [
      [0, 'request', 'session/prompt', undefined],
      [40, 'notification', 'session/update · plan', undefined],
      [50, 'request', 'fs/read_text_file', undefined],
      [60, 'answer', 'fs/read_text_file', 10],
      [500, 'error', 'session/prompt', 500],
      [600, 'answer', '?', undefined],
    ],
  );
  assert.equal(
    rows[2]?.bytes,
    Buffer.byteLength('{"id":1,"method":"fs/read_text_file","params":{"path":"ü"}}'),
  );
});

test('the page can ask for three things', () => {
  for (const type of ['ready', 'refresh', 'export'])
    assert.deepEqual(parseTrafficIntent({ type }), { type });
  for (const value of [undefined, null, 'export', {}, { type: 'exports' }, { type: 1 }]) {
    assert.equal(parseTrafficIntent(value), undefined);
  }
});
