import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compatibility } from '../../../src/acp/compat/compatibility';
import type { Guard } from '../../../src/acp/schema/guards/primitives';
import * as requestGuards from '../../../src/acp/schema/guards/requests';
import * as responseGuards from '../../../src/acp/schema/guards/responses';
import { sessionNotification } from '../../../src/acp/schema/guards/updates';
import { loadTranscript, transcriptPaths } from '../../golden/transcript';

// What comes over the wire goes through the door first, and then through its guard.

const sessionUpdate = (update: unknown) => {
  const params = { sessionId: 's', update };
  const [read] = new Compatibility().updates('session/update', params) ?? [];
  return sessionNotification(read)?.update;
};
const contentBlock: Guard<unknown> = content => {
  const read = sessionUpdate({ sessionUpdate: 'agent_message_chunk', content });
  return read?.sessionUpdate === 'agent_message_chunk' ? read.content : undefined;
};
const toolCallContent: Guard<unknown> = item => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'C', content: [item] };
  const read = sessionUpdate(call);
  return read?.sessionUpdate === 'tool_call' ? read.content?.[0] : undefined;
};
const answered =
  <T>(method: string, guard: Guard<T>): Guard<T> =>
  result =>
    guard(new Compatibility().result(method, result));
const responses = {
  ...responseGuards,
  initialize: answered('initialize', responseGuards.initialize),
  newSession: answered('session/new', responseGuards.newSession),
  reopenedSession: answered('session/load', responseGuards.reopenedSession),
};
const asked =
  <T>(method: string, guard: Guard<T>): Guard<T> =>
  params => {
    const read = new Compatibility().request(method, params);
    return 'params' in read ? guard(read.params) : undefined;
  };
const requests = {
  ...requestGuards,
  createTerminal: asked('terminal/create', requestGuards.createTerminal),
};

/** What a guard makes of `input`; checks that the input stays as it was. */
function guarded(guard: Guard<unknown>, input: unknown): unknown {
  const before = JSON.stringify(input);
  const output = guard(input);
  assert.equal(JSON.stringify(input), before, 'the input was changed');
  return output;
}

interface Case {
  readonly what: string;
  readonly guard: Guard<unknown>;
  readonly input: unknown;
  readonly output: unknown;
}

function run(cases: readonly Case[]): void {
  for (const { what, guard, input, output } of cases) {
    assert.deepEqual(guarded(guard, input), output, what);
  }
}

const update = (kind: string, rest: object): object => ({ sessionUpdate: kind, ...rest });
const textBlock = { type: 'text', text: 't' };

test('content blocks', () => {
  const guard = contentBlock;
  run([
    { what: 'a bare string', guard, input: 'hi', output: { type: 'text', text: 'hi' } },
    { what: 'no type', guard, input: { text: 'hi' }, output: { type: 'text', text: 'hi' } },
    {
      what: 'a number as text',
      guard,
      input: { type: 'text', text: 5 },
      output: { type: 'text', text: '5' },
    },
    { what: 'text without text', guard, input: { type: 'text' }, output: undefined },
    {
      what: 'unknown types',
      guard,
      input: { type: 'video', x: [1] },
      output: { type: 'video', x: [1] },
    },
    { what: 'a type that is no string', guard, input: { type: 5 }, output: undefined },
    {
      what: 'bad annotations are dropped, good ones kept',
      guard,
      input: { ...textBlock, annotations: { audience: ['user', 5], priority: 'high' } },
      output: { ...textBlock, annotations: { audience: ['user'] } },
    },
    {
      what: 'bad annotations',
      guard,
      input: { ...textBlock, annotations: 3, _meta: 'x' },
      output: textBlock,
    },
    {
      what: 'an image without a type',
      guard,
      input: { type: 'image', data: 'AA==', mimeType: null, uri: null },
      output: { type: 'image', data: 'AA==', mimeType: 'image/png' },
    },
    { what: 'an image without data', guard, input: { type: 'image' }, output: undefined },
    {
      what: 'a link without a name',
      guard,
      input: { type: 'resource_link', uri: 'file:///a', size: '9' },
      output: { type: 'resource_link', uri: 'file:///a', name: 'file:///a' },
    },
    {
      what: 'a link to nowhere',
      guard,
      input: { type: 'resource_link', name: 'a' },
      output: undefined,
    },
    {
      what: 'a resource without an address',
      guard,
      input: { type: 'resource', resource: { text: 't', mimeType: 1 } },
      output: { type: 'resource', resource: { text: 't', mimeType: '1', uri: '' } },
    },
    {
      what: 'an empty resource',
      guard,
      input: { type: 'resource', resource: {} },
      output: undefined,
    },
  ]);
});

test('content of tool calls', () => {
  const guard = toolCallContent;
  const wrapped = { type: 'content', content: textBlock };
  const diff = { type: 'diff', path: '/a', newText: 'n' };
  run([
    { what: 'as it should be', guard, input: wrapped, output: wrapped },
    { what: 'a bare block', guard, input: textBlock, output: wrapped },
    { what: 'a bare string', guard, input: 't', output: wrapped },
    {
      what: 'no type: a terminal',
      guard,
      input: { terminalId: 'x' },
      output: { type: 'terminal', terminalId: 'x' },
    },
    { what: 'no type: a diff', guard, input: { path: '/a', newText: 'n' }, output: diff },
    { what: 'no type: a block within', guard, input: { content: textBlock }, output: wrapped },
    {
      what: 'a null oldText says a new file',
      guard,
      input: { ...diff, oldText: null },
      output: { ...diff, oldText: null },
    },
    { what: 'a bad oldText', guard, input: { ...diff, oldText: {} }, output: diff },
    { what: 'a diff of nothing', guard, input: { type: 'diff', newText: 'n' }, output: undefined },
    {
      what: 'unknown types',
      guard,
      input: { type: 'chart', data: 1 },
      output: { type: 'chart', data: 1 },
    },
    { what: 'nothing', guard, input: {}, output: undefined },
  ]);
});

test('one bad part does not lose the rest of an update', () => {
  const guard = sessionUpdate;
  run([
    {
      what: 'chunk: a message id of the wrong type',
      guard,
      input: update('agent_message_chunk', { content: textBlock, messageId: 5 }),
      output: update('agent_message_chunk', { content: textBlock }),
    },
    {
      what: 'chunk without content',
      guard,
      input: update('agent_thought_chunk', {}),
      output: undefined,
    },
    {
      what: 'plan entries',
      guard,
      input: update('plan', {
        entries: [
          { content: 'one', priority: 'high', status: 'completed' },
          null,
          7,
          { priority: 'low' },
          { content: 'two', priority: 'urgent', status: 5, id: 'kept' },
        ],
      }),
      output: update('plan', {
        entries: [
          { content: 'one', priority: 'high', status: 'completed' },
          { content: 'two', priority: 'medium', status: 'pending', id: 'kept' },
        ],
      }),
    },
    {
      what: 'tool call',
      guard,
      input: update('tool_call', {
        toolCallId: 'c',
        title: null,
        kind: 'write',
        status: 'half-way',
        content: [textBlock, 7, { type: 'terminal' }],
        locations: [{ path: '/a', line: -1 }, { line: 3 }, { path: '/b', line: 2 }],
        rawInput: null,
        _meta: 'x',
      }),
      output: update('tool_call', {
        toolCallId: 'c',
        title: '',
        kind: 'edit',
        content: [{ type: 'content', content: textBlock }],
        locations: [{ path: '/a' }, { path: '/b', line: 2 }],
        rawInput: null,
      }),
    },
    {
      what: 'tool call update: null and wrong types leave things as they are',
      guard,
      input: update('tool_call_update', {
        toolCallId: 'c',
        title: null,
        status: null,
        content: null,
        locations: 'x',
        kind: 5,
      }),
      output: update('tool_call_update', { toolCallId: 'c' }),
    },
    { what: 'no call id', guard, input: update('tool_call_update', {}), output: undefined },
    {
      what: 'commands',
      guard,
      input: update('available_commands_update', {
        availableCommands: [{ name: 'a', input: { hint: 5 } }, {}, { name: 'b', input: 'x' }],
      }),
      output: update('available_commands_update', {
        availableCommands: [
          { name: 'a', description: '', input: { hint: '5' } },
          { name: 'b', description: '' },
        ],
      }),
    },
    {
      what: 'a null title clears it',
      guard,
      input: update('session_info_update', { title: null, updatedAt: {} }),
      output: update('session_info_update', { title: null }),
    },
    {
      what: 'usage with a bad cost',
      guard,
      input: update('usage_update', { used: 1, size: 2, cost: { amount: 'x' } }),
      output: update('usage_update', { used: 1, size: 2 }),
    },
    {
      what: 'unusable usage',
      guard,
      input: update('usage_update', { used: 'x' }),
      output: undefined,
    },
    {
      what: 'options of unknown types are left out',
      guard,
      input: update('config_option_update', {
        configOptions: [
          { id: 'x', name: 'X', type: 'slider', currentValue: 3 },
          {
            id: 'm',
            type: 'select',
            currentValue: 'a',
            options: [
              { value: 'a' },
              { name: 'no value' },
              { group: 'g', name: 'G', options: [{ value: 'b', name: 'B' }, 1] },
            ],
          },
          { id: 'b', name: 'B', type: 'boolean', currentValue: 'true' },
        ],
      }),
      output: update('config_option_update', {
        configOptions: [
          {
            id: 'm',
            name: 'm',
            type: 'select',
            currentValue: 'a',
            options: [
              { value: 'a', name: 'a' },
              { group: 'g', name: 'G', options: [{ value: 'b', name: 'B' }] },
            ],
          },
        ],
      }),
    },
    {
      what: 'kinds of tomorrow',
      guard,
      input: update('subagent', { any: null }),
      output: update('subagent', { any: null }),
    },
  ]);
});

test('session/update', () => {
  const guard = sessionNotification;
  const good = { sessionId: 's', update: update('x', { a: 1 }) };
  run([
    { what: 'as it should be', guard, input: good, output: good },
    { what: 'no session', guard, input: { update: good.update }, output: undefined },
  ]);
});

test('initialize', () => {
  const guard = responses.initialize;
  run([
    {
      what: 'loose parts',
      guard,
      input: {
        protocolVersion: '1',
        agentInfo: { name: 'a' },
        authMethods: [{ id: 'x' }, { name: 'no id' }, 5, { id: 'e', name: 'E', type: 'env_var' }],
        agentCapabilities: {
          loadSession: 'yes',
          promptCapabilities: { image: true, audio: 1 },
          mcpCapabilities: [],
          sessionCapabilities: { list: true, resume: {}, close: false },
        },
      },
      output: {
        protocolVersion: 1,
        agentInfo: { name: 'a', version: '' },
        authMethods: [
          { id: 'x', name: 'x' },
          { id: 'e', name: 'E', type: 'env_var' },
        ],
        agentCapabilities: {
          promptCapabilities: { image: true },
          sessionCapabilities: { list: {}, resume: {} },
        },
      },
    },
    {
      what: 'no version',
      guard,
      input: { authMethods: [] },
      output: { protocolVersion: 1, authMethods: [] },
    },
    {
      what: 'another version',
      guard,
      input: { protocolVersion: 3 },
      output: { protocolVersion: 3 },
    },
    {
      what: 'no version that can be read',
      guard,
      input: { protocolVersion: 'one' },
      output: undefined,
    },
    { what: 'no answer of an agent', guard, input: { capabilities: {} }, output: undefined },
    { what: 'null', guard, input: null, output: undefined },
  ]);
});

test('sessions', () => {
  const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
  run([
    {
      what: 'modes and models as agents write them',
      guard: responses.newSession,
      input: {
        sessionId: 's',
        modes: { availableModes: [{ id: 'a', name: 'A' }, { name: 'x' }] },
        models: {
          availableModels: [{ id: 'm' }, { modelId: 'n', name: 'N' }],
          currentModelId: 'n',
        },
        configOptions: null,
      },
      output: {
        sessionId: 's',
        modes,
        models: {
          availableModels: [
            { modelId: 'm', name: 'm' },
            { modelId: 'n', name: 'N' },
          ],
          currentModelId: 'n',
        },
      },
    },
    {
      what: 'no mode at all',
      guard: responses.newSession,
      input: { sessionId: 's', modes: { availableModes: [], currentModeId: 'a' }, models: 5 },
      output: { sessionId: 's' },
    },
    {
      what: 'null for a loaded session',
      guard: responses.reopenedSession,
      input: null,
      output: {},
    },
    {
      what: 'modes of a loaded session',
      guard: responses.reopenedSession,
      input: { modes },
      output: { modes },
    },
    {
      what: 'the list',
      guard: responses.listSessions,
      input: { sessions: [{ sessionId: 'a', title: 5 }, {}, null], nextCursor: null },
      output: { sessions: [{ sessionId: 'a', title: '5', cwd: '' }] },
    },
    { what: 'no list', guard: responses.listSessions, input: {}, output: { sessions: [] } },
    {
      what: 'a prompt that was taken in',
      guard: responses.prompt,
      input: null,
      output: {},
    },
    {
      what: 'an end of its own kind',
      guard: responses.prompt,
      input: { stopReason: 'bored' },
      output: { stopReason: 'bored' },
    },
    {
      what: 'untold options',
      guard: responses.setConfigOption,
      input: {},
      output: { configOptions: [] },
    },
  ]);
});

test('what the agent asks', () => {
  const toolCall = { toolCallId: 'c' };
  const terminal = { sessionId: 's', command: 'ls' };
  run([
    {
      what: 'permission: bad options are left out, sparse ones filled',
      guard: requests.requestPermission,
      input: {
        sessionId: 's',
        toolCall: { ...toolCall, title: 5, content: 7 },
        options: [
          { optionId: 'a' },
          { name: 'no id' },
          null,
          { optionId: 'b', name: 'B', kind: 'once' },
        ],
      },
      output: {
        sessionId: 's',
        toolCall: { ...toolCall, title: '5' },
        options: [
          { optionId: 'a', name: 'a', kind: 'unknown' },
          { optionId: 'b', name: 'B', kind: 'once' },
        ],
      },
    },
    {
      what: 'no option left',
      guard: requests.requestPermission,
      input: { sessionId: 's', toolCall, options: [{}] },
      output: undefined,
    },
    {
      what: 'no call',
      guard: requests.requestPermission,
      input: { sessionId: 's', options: [{ optionId: 'a' }] },
      output: undefined,
    },
    {
      what: 'read: bad lines are dropped',
      guard: requests.readTextFile,
      input: { sessionId: 's', path: '/a', line: -1, limit: '5' },
      output: { sessionId: 's', path: '/a' },
    },
    {
      what: 'read nothing',
      guard: requests.readTextFile,
      input: { sessionId: 's', path: '' },
      output: undefined,
    },
    {
      what: 'write a number',
      guard: requests.writeTextFile,
      input: { sessionId: 's', path: '/a', content: 5 },
      output: undefined,
    },
    {
      what: 'a command alone',
      guard: requests.createTerminal,
      input: terminal,
      output: { ...terminal, args: [], env: [] },
    },
    {
      what: 'numbers as arguments, the environment as an object',
      guard: requests.createTerminal,
      input: { ...terminal, args: ['-n', 5], env: { A: 'b' }, cwd: null, outputByteLimit: -1 },
      output: { ...terminal, args: ['-n', '5'], env: [{ name: 'A', value: 'b' }], cwd: null },
    },
    {
      what: 'a bad argument',
      guard: requests.createTerminal,
      input: { ...terminal, args: ['a', null] },
      output: undefined,
    },
    {
      what: 'arguments as text',
      guard: requests.createTerminal,
      input: { ...terminal, args: '-l' },
      output: undefined,
    },
    {
      what: 'a bad variable',
      guard: requests.createTerminal,
      input: { ...terminal, env: [{ name: 'A' }] },
      output: undefined,
    },
    {
      what: 'a bad directory',
      guard: requests.createTerminal,
      input: { ...terminal, cwd: 5 },
      output: undefined,
    },
    {
      what: 'no terminal',
      guard: requests.terminalReference,
      input: { sessionId: 's' },
      output: undefined,
    },
  ]);
});

const guards: Record<string, Guard<unknown>> = {
  sessionNotification,
  requestPermission: requests.requestPermission,
  readTextFile: requests.readTextFile,
  writeTextFile: requests.writeTextFile,
  createTerminal: requests.createTerminal,
  terminalReference: requests.terminalReference,
  initialize: responses.initialize,
  newSession: responses.newSession,
  reopenedSession: responses.reopenedSession,
  listSessions: responses.listSessions,
  prompt: responses.prompt,
  setConfigOption: responses.setConfigOption,
};

test('no guard throws on anything, changes what it was given, or changes its own result again', () => {
  const messages = transcriptPaths()
    .flatMap(path => loadTranscript(path).entries)
    .flatMap(entry =>
      'params' in entry ? [entry.params] : 'result' in entry ? [entry.result] : [],
    );
  const mutated = fc
    .tuple(
      fc.constantFrom(...messages),
      fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 4 }),
    )
    .map(([message, changes]) =>
      changes.reduce((value, [place, replacement]) => mutate(value, place, replacement), message),
    );
  fc.assert(
    fc.property(fc.oneof(mutated, fc.jsonValue()), value => {
      for (const [name, guard] of Object.entries(guards)) {
        const once = guarded(guard, value);
        if (once !== undefined) assert.equal(guard(once), once, `${name} repairs its own result`);
      }
    }),
    { numRuns: 3000, seed: 4 },
  );
});

test('what real agents send in good order is not copied', () => {
  const updates = transcriptPaths()
    .flatMap(path => loadTranscript(path).entries)
    .flatMap(entry =>
      entry.kind === 'notification' && entry.method === 'session/update' ? [entry.params] : [],
    );
  const same = updates.filter(params => sessionNotification(params) === params).length;
  assert.ok(same > 0.85 * updates.length, `${same} of ${updates.length}`);
});

/** A copy of `value` with the part at `place`, counted through it, replaced. */
function mutate(value: unknown, place: number, replacement: unknown): unknown {
  let count = 0;
  const total = size(value);
  const target = place % total;
  const visit = (part: unknown): unknown => {
    if (count++ === target) return replacement;
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item)]));
  };
  return visit(value);
}

function size(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + size(part), 1);
}
