import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientHandlers } from '../../src/acp/rpc/clientHandlers';
import { RequestError } from '../../src/acp/rpc/errors';
import {
  AgentMethod,
  ClientMethod,
  ARCHIVE_SESSION_METHOD,
  FORK_SESSION_METHOD,
  SET_TITLE_METHOD,
  STEER_METHOD,
  ProtocolMethod,
  SET_MODEL_METHOD,
  UNARCHIVE_SESSION_METHOD,
} from '../../src/acp/schema/methods';
import { replay } from '../golden/replay';
import { transcriptPaths } from '../golden/transcript';
import { RawPeer } from '../unit/acp/rawPeer';
import { agentMethods, clientMethods, SentValidator, validateSent } from './schema';

const S = 'session';
const CWD = '/w';

/** Answers with every field that the protocol has for it. */
const answering: ClientHandlers = {
  sessionUpdate() {},
  requestPermission: ({ options }) =>
    Promise.resolve({
      outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
    }),
  readTextFile: () => Promise.resolve({ content: 'text\n' }),
  writeTextFile: () => Promise.resolve({}),
  createTerminal: () => Promise.resolve({ terminalId: 't1' }),
  terminalOutput: () =>
    Promise.resolve({
      output: 'out',
      truncated: true,
      exitStatus: { exitCode: null, signal: 'SIGTERM' },
    }),
  waitForTerminalExit: () => Promise.resolve({ exitCode: 0, signal: null }),
  killTerminal: () => Promise.resolve({}),
  releaseTerminal: () => Promise.resolve({}),
  createElicitation: () =>
    Promise.resolve({
      action: 'accept',
      content: { text: 'a', integer: 1, number: 1.5, yes: true, many: ['a', 'b'] },
    }),
  completeElicitation() {},
};

const terminal = { sessionId: S, terminalId: 't1' };

/** A call of every method of the client's, as an agent makes it. */
const calls: Record<string, object> = {
  [ClientMethod.requestPermission]: {
    sessionId: S,
    toolCall: { toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'pending' },
    options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
  },
  [ClientMethod.readTextFile]: { sessionId: S, path: '/w/a', line: 1, limit: 10 },
  [ClientMethod.writeTextFile]: { sessionId: S, path: '/w/a', content: '' },
  [ClientMethod.createTerminal]: {
    sessionId: S,
    command: 'ls',
    args: ['-l'],
    env: [{ name: 'A', value: 'b' }],
    cwd: CWD,
    outputByteLimit: 1000,
  },
  [ClientMethod.terminalOutput]: terminal,
  [ClientMethod.waitForTerminalExit]: terminal,
  [ClientMethod.killTerminal]: terminal,
  [ClientMethod.releaseTerminal]: terminal,
  [ClientMethod.createElicitation]: {
    mode: 'form',
    sessionId: S,
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { text: { type: 'string' } } },
  },
};

test('all requests and notifications of the client validate', async () => {
  const validator = new SentValidator();
  const peer = new RawPeer(answering, { tap: validator.tap });
  const { connection } = peer;
  const controller = new AbortController();
  const results: Record<string, object> = {
    [AgentMethod.initialize]: { protocolVersion: 1 },
    [AgentMethod.newSession]: { sessionId: S },
    [FORK_SESSION_METHOD]: { sessionId: S },
    [STEER_METHOD]: { outcome: 'injected' },
  };
  const mcpServers = [
    { name: 'stdio', command: '/bin/mcp', args: ['x'], env: [{ name: 'K', value: 'v' }] },
    { name: 'http', type: 'http' as const, url: 'https://mcp.test', headers: [] },
  ];
  const sends: (() => Promise<unknown>)[] = [
    () =>
      connection.initialize({
        protocolVersion: 1,
        clientInfo: { name: 'parley', title: 'Parley', version: '0.1.0' },
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      }),
    () => connection.authenticate({ methodId: 'login' }),
    () => connection.newSession({ cwd: CWD, mcpServers, additionalDirectories: ['/x'] }),
    () => connection.loadSession({ sessionId: S, cwd: CWD, mcpServers }),
    () => connection.resumeSession({ sessionId: S, cwd: CWD, mcpServers: [] }),
    () => connection.listSessions({ cwd: CWD, cursor: 'next' }),
    () => connection.setMode({ sessionId: S, modeId: 'plan' }),
    () => connection.setModel({ sessionId: S, modelId: 'large' }),
    () => connection.setConfigOption({ sessionId: S, configId: 'c', value: 'v' }),
    () => connection.setConfigOption({ sessionId: S, configId: 'b', type: 'boolean', value: true }),
    () =>
      connection.prompt({
        sessionId: S,
        prompt: [
          { type: 'text', text: 'Look at ' },
          { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' },
          { type: 'resource', resource: { uri: 'file:///w/b.ts', text: 'b', mimeType: 'text/x' } },
          { type: 'image', data: 'AA==', mimeType: 'image/png' },
        ],
      }),
    () => connection.closeSession({ sessionId: S }),
    () => connection.deleteSession({ sessionId: S }),
    () => connection.forkSession({ sessionId: S, cwd: CWD, mcpServers: [] }),
    () => connection.setTitle({ sessionId: S, title: 'Mine' }),
    () => connection.archiveSession({ sessionId: S }),
    () => connection.unarchiveSession({ sessionId: S }),
    () => connection.steer({ sessionId: S, prompt: [{ type: 'text', text: 'left' }] }),
    () => connection.logout(),
  ];
  for (const send of sends) {
    const answer = send();
    const { id, method } = await peer.next();
    peer.send({ id, result: results[method ?? ''] ?? {} });
    await answer;
  }
  await connection.cancel({ sessionId: S });
  await peer.next();
  const given = connection.newSession({ cwd: CWD, mcpServers: [] }, controller.signal);
  await peer.next();
  controller.abort();
  await assert.rejects(given);
  await peer.next();

  assert.deepEqual(validator.problems, []);
  const expected = [
    ...Object.values(AgentMethod),
    ...Object.values(ProtocolMethod),
    SET_MODEL_METHOD,
    FORK_SESSION_METHOD,
    SET_TITLE_METHOD,
    ARCHIVE_SESSION_METHOD,
    UNARCHIVE_SESSION_METHOD,
    STEER_METHOD,
  ];
  assert.deepEqual([...validator.called].sort(), expected.sort());
  assert.deepEqual([...validator.called].sort(), [...agentMethods].sort());
});

test('all answers of the client validate', async () => {
  const validator = new SentValidator();
  const peer = new RawPeer(answering, { tap: validator.tap });
  for (const [index, [method, params]] of Object.entries(calls).entries()) {
    await peer.ask(method, params, index);
  }
  assert.deepEqual(validator.problems, []);
  assert.deepEqual([...validator.answered].sort(), [...clientMethods].sort());
});

test('all errors of the client validate', async () => {
  const failures: unknown[] = [
    new Error('internal'),
    new RequestError(-32002, 'No such file', { path: '/w/a' }),
    'text',
  ];
  for (const failure of failures) {
    const validator = new SentValidator();
    const fail = (): never => {
      throw failure;
    };
    const failing = Object.fromEntries(Object.keys(answering).map(name => [name, fail]));
    const peer = new RawPeer(failing, { tap: validator.tap });
    for (const [index, [method, params]] of Object.entries(calls).entries()) {
      const wellFormed = await peer.ask(method, params, index);
      const malformed = await peer.ask(method, { sessionId: 5 }, `bad ${index}`);
      assert.ok('error' in wellFormed && 'error' in malformed);
    }
    await peer.ask('_vendor/extension', { any: 1 });
    await peer.ask('elicitation/create', { message: 'Which?', mode: 'form' });
    assert.deepEqual(validator.problems, []);
    assert.equal(validator.answered.size, 0);
  }
});

test('all that is sent while the recorded transcripts replay validates', async () => {
  const problems: string[] = [];
  for (const path of transcriptPaths()) {
    const { sent, transcript } = await replay(path);
    problems.push(
      ...sent.flatMap(json => validateSent(json)).map(text => `${transcript.name}: ${text}`),
    );
  }
  // In the error scenarios the recorder sent requests without their parameters on purpose.
  const onPurpose = /^\w+-errors: params of session\/(new|prompt): /;
  assert.deepEqual(
    problems.filter(problem => !onPurpose.test(problem)),
    [],
  );
});

test('the validator finds what is wrong', () => {
  const cases: [message: object, answered: string | undefined, problem: RegExp][] = [
    [{ id: 1, method: 'session/new', params: { cwd: '/w' } }, undefined, /mcpServers/],
    [{ id: 1, method: 'session/new', params: null }, undefined, /must be object/],
    [{ id: 1, method: 'session/nope', params: {} }, undefined, /no such method/],
    [{ id: 1, method: 'session/list', params: { cwdd: '' } }, undefined, /unknown field "cwdd"/],
    [{ method: '$/cancel_request', params: { id: 1 } }, undefined, /requestId/],
    [{ id: 1, result: {} }, 'fs/read_text_file', /content/],
    [{ id: 1, result: null }, 'terminal/kill', /must be object/],
    [{ id: 1, result: { outcome: { outcome: 'yes' } } }, 'session/request_permission', /outcome/],
    [{ id: 1, error: { code: 'x', message: 'y' } }, undefined, /code/],
    [{ id: 1 }, undefined, /one of both/],
    [{ id: 1, result: {}, extra: 1 }, undefined, /unknown field "extra"/],
  ];
  for (const [message, answered, problem] of cases) {
    const problems = validateSent(JSON.stringify({ jsonrpc: '2.0', ...message }), answered);
    assert.match(problems.join('\n'), problem);
  }
});
