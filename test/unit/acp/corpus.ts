/** What agents say: everything that was recorded, and the shapes of older descriptions of the protocol. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadTranscript, transcriptPaths } from '../../golden/transcript';

export interface Corpus {
  /** Notifications and requests of agents, and answers with ids that nobody waits for, as JSON. */
  readonly messages: readonly string[];
  /** By method of the client's request: what agents answered, `{result}` or `{error}`, as JSON. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
}

const S = 's';

const DIALECTS: readonly { readonly method: string; readonly params: object }[] = [
  { contentChunk: { id: 'p', index: 0, delta: 'Hello' } },
  {
    toolCall: {
      toolCallId: 'call-1',
      title: 'Edit',
      kind: 'write',
      status: 'pending',
      content: [{ type: 'embedded_resource', uri: 'file:///a', text: 't' }],
      diff: { path: '/w/a', oldContent: 'old', newContent: 'new' },
    },
  },
  { plan: { steps: [{ title: 'One', status: 'pending' }] }, currentModeId: 'plan' },
  { sessionUpdate: 'plan', entries: [{ id: '1', content: 'Do', status: 'pending' }] },
].map(params => ({ method: 'session/update', params: { sessionId: S, ...params } }));

const REQUESTS: readonly { readonly method: string; readonly params: object }[] = [
  {
    method: 'session/request_permission',
    params: { sessionId: S, permissionId: 'p', title: 'Run', kind: 'execute', content: [] },
  },
  {
    method: 'session/request_permission',
    params: { sessionId: S, permission: { type: 'file_write', path: '/w/a', content: 'x' } },
  },
  {
    method: 'terminal/create',
    params: { sessionId: S, command: 'ls', env: { A: 'b' }, outputBytesLimit: 10 },
  },
  { method: '_vendor/extension', params: { a: [1] } },
  { method: '$/cancel_request', params: { requestId: 1 } },
];

const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  initialize: [{ result: { protocolVersion: 1, authMethods: ['none', 'oauth'] } }],
  'session/new': [
    { result: { sessionId: S, modes: [{ id: 'm', name: 'M' }], currentModeId: 'm' } },
    { error: { code: -31902, message: 'Session locked', data: { error: { error: 'x' } } } },
  ],
  'session/prompt': [
    { result: { stopReason: 'tool_error' } },
    { result: { stopReason: 'auth_required' } },
    { error: { code: 429, message: '{"error":{"message":"slow down"}}' } },
  ],
};

export function corpus(): Corpus {
  const messages: string[] = [...DIALECTS, ...REQUESTS].map((call, id) =>
    JSON.stringify({ jsonrpc: '2.0', ...('permissionId' in call ? {} : { id }), ...call }),
  );
  const answers = new Map<string, string[]>();
  for (const [method, given] of Object.entries(ANSWERS)) {
    answers.set(
      method,
      given.map(answer => JSON.stringify(answer)),
    );
  }
  for (const path of transcriptPaths()) {
    const methods = new Map<unknown, string>();
    for (const entry of loadTranscript(path).entries) {
      if (entry.kind === 'request' && entry.from === 'client') methods.set(entry.id, entry.method);
      if (!('from' in entry) || entry.from !== 'agent') continue;
      const { kind, from: _from, t: _t, ...message } = entry;
      if (kind !== 'response') {
        messages.push(JSON.stringify({ jsonrpc: '2.0', ...message }));
        continue;
      }
      const { id, ...answer } = message as { readonly id?: unknown };
      messages.push(JSON.stringify({ jsonrpc: '2.0', ...answer, id: `late-${String(id)}` }));
      const method = methods.get(id);
      if (method === undefined) continue;
      answers.set(method, [...(answers.get(method) ?? []), JSON.stringify(answer)]);
    }
  }
  return { messages, answers };
}

/** What agents that speak v2 were seen to say: claude-agent-acp, and the SDK's own side in the conformance tests. */
export function messagesOfV2(): readonly string[] {
  return readFileSync(resolve('test/fixtures/version2.ndjson'), 'utf8')
    .split('\n')
    .filter(line => line !== '');
}
