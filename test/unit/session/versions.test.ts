/** Which version of the protocol is spoken with an agent. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { Protocol } from '../../../src/agents/definitions';
import { allTurns } from '../../../src/session/state/selectors';
import { world } from './world';

const say = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } };

/** The versions that `initialize` asked for, and the one that was agreed on. */
async function spoken(
  program: Record<string, unknown>,
  options: { protocol?: Protocol; agentFile?: string } = {},
): Promise<{ readonly asked: readonly number[]; readonly version: number | undefined }> {
  const asked: number[] = [];
  const opened = await world(program, {
    ...options,
    connect: false,
    tap({ direction, json }) {
      const { method, params } = JSON.parse(json) as {
        method?: string;
        params: { protocolVersion: number };
      };
      if (direction === 'send' && method === 'initialize') asked.push(params.protocolVersion);
    },
  });
  try {
    const { connection } = await opened.until(({ connection: { kind } }) =>
      ['ready', 'failed'].includes(kind),
    );
    if (connection.kind === 'failed') {
      assert.equal(connection.problem.kind, 'unsupportedVersion');
      return { asked, version: undefined };
    }
    const { turns } = await opened.run(
      program['isV2'] === true ? [] : [{ update: say }, { respond: { stopReason: 'end_turn' } }],
    );
    assert.equal(turns[0]?.end?.reason, 'end_turn');
    return { asked, version: (await opened.agent.connect()).initialized.protocolVersion };
  } finally {
    await opened.end();
  }
}

const v2 = { isV2: true };
const agentFile = resolve('test/agents/version2.mjs');

const CASES: readonly (readonly [
  what: string,
  given: Readonly<Parameters<typeof spoken>>,
  expected: Awaited<ReturnType<typeof spoken>>,
])[] = [
  ['an agent that knows v1', [{}], { asked: [2], version: 1 }],
  ['one that repeats the number', [{ echoesVersion: true }], { asked: [2], version: 1 }],
  ...[
    { code: -32022, message: 'Unsupported protocol version', data: { supported: [1] } },
    { code: -32602, message: 'Invalid params' },
    { code: -32603, message: 'protocolVersion must be 1' },
  ].map(
    refusesVersions =>
      [
        `one that refuses another with ${refusesVersions.code}`,
        [{ refusesVersions }],
        { asked: [2, 1], version: 1 },
      ] as const,
  ),
  ['v1 by the setting', [{}, { protocol: 'v1' }], { asked: [1], version: 1 }],
  ['v2 of one that knows v1', [{}, { protocol: 'v2' }], { asked: [2], version: undefined }],
  ['an agent that knows v2', [v2, { agentFile }], { asked: [2], version: 2 }],
  ['v2 by the setting', [v2, { agentFile, protocol: 'v2' }], { asked: [2], version: 2 }],
];

for (const [what, given, expected] of CASES) {
  test(`${what}: asked ${expected.asked.join(', then ')}`, async () => {
    const { asked, version } = await spoken(...given);
    assert.deepEqual({ asked, version }, expected);
  });
}

test('what a request of v2 says of itself is shown with it, and leaves its call as it is', async () => {
  const opened = await world({}, { agentFile });
  const call = { toolCallId: 'c', title: 'npm test', kind: 'execute' };
  const content = [{ type: 'terminal', terminalId: 't' }];
  try {
    opened.send([
      { update: { sessionUpdate: 'terminal_update', terminalId: 't', command: 'npm test' } },
      { update: { sessionUpdate: 'tool_call_update', ...call, content } },
      {
        ask: {
          method: 'session/request_permission',
          params: {
            title: 'Run command?',
            description: 'It needs the network.',
            subject: { type: 'tool_call', toolCall: call },
            options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          },
        },
      },
    ]);
    const state = await opened.until(({ permissions }) => permissions.length > 0);
    const [request] = state.permissions;
    assert.equal(request?.title, 'npm test');
    assert.match(JSON.stringify(request.asked.content), /Run command\?.*It needs the network\./);
    const [part] = allTurns(state).flatMap(({ parts }) => parts);
    assert.ok(part?.kind === 'tool');
    assert.equal(part.title, 'npm test');
    assert.deepEqual(part.content, [{ kind: 'terminal', terminalId: 't' }]);
    assert.equal(request.changed, undefined);
    const { id: requestId, revision } = request;
    assert.ok(opened.chat.controller.answerPermission({ requestId, revision, option: 0 }));
    await opened.until(({ activeTurn }) => !activeTurn);
  } finally {
    await opened.end();
  }
});
