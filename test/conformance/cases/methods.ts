import assert from 'node:assert/strict';
import * as path from 'node:path';
import { AgentSessions } from '../../../src/session/history/agentSessions';
import { initialSession } from '../../../src/session/state/initialSession';
import type { SessionState } from '../../../src/session/state/state';
import {
  answers,
  ask,
  inTurn,
  parts,
  text,
  update,
  type ConformanceCase,
  type ConformanceGroup,
  type Run,
} from '../conformanceCase';
import { methods } from '../enumerate';
import { choose as chooseOption } from '../../unit/session/choose';

/** A chat of an earlier window, which knew the session `old`. */
const restore = (cwd: string): SessionState => ({
  ...initialSession({ chatId: 'c', agentName: 'Program', cwd, at: 0 }),
  sessionId: 'old',
});

const option = (id: string, fields: object) => ({ id, name: id, ...fields });
const CONFIG = [
  option('model', {
    type: 'select',
    currentValue: 'a',
    options: [
      { value: 'a', name: 'A' },
      { value: 'b', name: 'B' },
    ],
  }),
  option('web', { type: 'boolean', currentValue: false }),
];

/** Sets the first option to `value`, and waits until the agent has answered. */
async function choose(it: Run, opened: object, value: string, index = 0): Promise<void> {
  const chat = await it.chat({ opened });
  const { id } = chat.state.configOptions[index] as { id: string };
  await chat.chat.controller.setConfig(id, index === 0 ? value : true);
  assert.equal(chat.state.configOptions[index]?.value, index === 0 ? value : true);
}

export const agentMethods: ConformanceGroup = {
  title: 'What Parley calls',
  all: methods.agent,
  cases: [
    {
      name: 'initialize',
      does: "Says what Parley can do; shows the agent's title and version.",
      async run(it) {
        const { state } = await it.chat();
        assert.deepEqual([state.agent.title, state.agent.version], ['Program', '1.2.3']);
      },
    },
    {
      name: 'authenticate',
      does: 'The sign-in card; then the session opens and what was asked is sent.',
      async run(it) {
        const chat = await it.chat({ auth: [{ id: 'a', name: 'A' }] }, { connect: false });
        await chat.until(({ connection }) => connection.kind === 'signIn');
        await chat.chat.controller.signIn('a');
        assert.equal(chat.state.connection.kind, 'ready');
        assert.deepEqual(it.calls('authenticate'), [{ methodId: 'a' }]);
      },
    },
    {
      name: 'logout',
      does: '"Sign Out", for agents that offer it.',
      async run(it) {
        const chat = await it.chat({
          auth: [{ id: 'a', name: 'A' }],
          signedIn: true,
          capabilities: { auth: { logout: {} } },
        });
        await chat.agent.signOut();
      },
    },
    {
      name: 'session/new',
      does: "Every new chat, in the workspace's folder.",
      async run(it) {
        const chat = await it.chat();
        assert.equal(chat.state.sessionId, 's1');
        assert.deepEqual(it.calls('session/new'), [{ cwd: chat.cwd, mcpServers: [] }]);
      },
    },
    {
      name: 'session/load',
      does: 'A chat of an earlier window is resumed; what the agent replays is shown where it is new.',
      async run(it) {
        const replay = [
          { sessionUpdate: 'user_message_chunk', content: text('Hello') },
          { sessionUpdate: 'agent_message_chunk', content: text('Hi') },
        ];
        const chat = await it.chat({ capabilities: { loadSession: true }, replay }, { restore });
        await chat.chat.controller.connect();
        assert.equal(chat.state.turns[0]?.prompt?.text, 'Hello');
        assert.equal(chat.state.sessionId, 'old');
      },
    },
    {
      name: 'session/resume',
      does: 'The same without a replay, where the agent offers it.',
      async run(it) {
        const capabilities = { sessionCapabilities: { resume: {} } };
        const chat = await it.chat({ capabilities }, { restore });
        await chat.chat.controller.connect();
        assert.equal(chat.state.sessionId, 'old');
      },
    },
    {
      name: 'session/list',
      does: '"Show Chats…" lists them below the chats, a page at a time.',
      async run(it) {
        const chat = await it.chat({
          capabilities: { sessionCapabilities: { list: {} } },
          sessions: [{ sessionId: 'a' }, { sessionId: 'b' }, { sessionId: 'c' }],
        });
        const sessions = new AgentSessions(chat.agent, chat.cwd);
        const { next } = await sessions.list();
        const rest = await sessions.list(next);
        assert.deepEqual(rest, { sessions: [{ sessionId: 'c' }] });
      },
    },
    {
      name: 'session/delete',
      does: 'The bin in that list, after asking.',
      async run(it) {
        const chat = await it.chat({ capabilities: { sessionCapabilities: { delete: {} } } });
        await new AgentSessions(chat.agent, chat.cwd).delete('a');
        assert.deepEqual(it.calls('session/delete'), [{ sessionId: 'a' }]);
      },
    },
    {
      name: 'session/close',
      does: 'When a chat is closed while others use the agent.',
      async run(it) {
        const chat = await it.chat({ capabilities: { sessionCapabilities: { close: {} } } });
        await chat.chat.controller.close();
        assert.deepEqual(it.calls('session/close'), [{ sessionId: 's1' }]);
      },
    },
    {
      name: 'session/set_mode',
      does: 'A mode chosen in the footer, for agents without config options.',
      run: it =>
        choose(
          it,
          {
            modes: {
              currentModeId: 'a',
              availableModes: [
                { id: 'a', name: 'A' },
                { id: 'b', name: 'B' },
              ],
            },
          },
          'b',
        ),
    },
    {
      name: 'session/set_config_option',
      does: 'An option chosen in the footer: one of several, or on and off.',
      async run(it) {
        await choose(it, { configOptions: CONFIG }, 'b');
        await choose(it, { configOptions: CONFIG }, '', 1);
        assert.deepEqual(it.calls('session/set_config_option'), [
          { sessionId: 's1', configId: 'model', value: 'b' },
          { sessionId: 's1', configId: 'web', type: 'boolean', value: true },
        ]);
      },
    },
    inTurn('session/prompt', 'A message, with what is attached.', [], state =>
      assert.equal(state.turns[0]?.end?.reason, 'end_turn'),
    ),
    {
      name: 'session/cancel',
      does: '"Stop"; whatever waits for an answer is answered `cancelled`.',
      async run(it) {
        const chat = await it.chat();
        chat.send([
          update('agent_message_chunk', { content: text('…') }),
          { waitCancel: true },
          { respond: { stopReason: 'cancelled' } },
        ]);
        await chat.until(({ activeTurn }) => activeTurn?.parts.length);
        chat.chat.controller.stop();
        const state = await chat.until(({ activeTurn }) => !activeTurn);
        assert.equal(state.turns[0]?.end?.reason, 'cancelled');
      },
    },
    {
      name: '$/cancel_request',
      does: 'A start that is given up; and what the agent takes back is answered at once.',
      async run(it) {
        const asksAtNew = {
          mode: 'form',
          message: 'Wait',
          requestedSchema: { type: 'object', properties: {} },
        };
        const chat = await it.chat({ asksAtNew }, { connect: false });
        await chat.until(({ elicitations }) => elicitations.length > 0);
        const stopped = chat.until(({ connection }) => connection.kind === 'stopped');
        chat.chat.controller.cancelStart();
        await stopped;
        const { length } = it.calls('$/cancel_request');
        assert.equal(length, 1);
      },
    },
  ],
};

export const draftMethods: ConformanceGroup = {
  title: 'What Parley calls outside the stable schema',
  cases: [
    {
      name: 'session/set_title',
      does: 'A chat that the user renames, for agents that offer it.',
      async run(it) {
        const chat = await it.chat({ capabilities: { sessionCapabilities: { title: {} } } });
        await chat.chat.controller.rename('Mine');
        assert.deepEqual(it.calls('session/set_title'), [{ sessionId: 's1', title: 'Mine' }]);
        assert.equal(chat.state.title, 'Mine');
      },
    },
    {
      name: 'session/archive',
      does: 'A chat that the user archives, for agents that offer it: its session is closed first.',
      run: it => archived(it, 'session/archive'),
    },
    {
      name: 'session/unarchive',
      does: 'A chat that the user takes out of the archive, or goes on with.',
      run: it => archived(it, 'session/unarchive'),
    },
    {
      name: '_session/steering',
      does: 'A message while the agent works, for agents that offer it; Alt+Enter queues instead.',
      async run(it) {
        const chat = await it.chat({
          initialized: { _meta: { steering: { supported: true } } },
        });
        chat.send([update('agent_message_chunk', { content: text('begun') }), { heard: true }]);
        await chat.until(state => answers(state).includes('begun'));
        chat.chat.controller.send('left');
        const state = await chat.until(({ activeTurn }) => !activeTurn);
        assert.match(answers(state), /heard left/);
        assert.equal(state.turns.length, 1);
      },
    },
    {
      name: 'session/fork',
      does: '"Duplicate Chat", for agents that offer it.',
      async run(it) {
        const chat = await it.chat({ capabilities: { sessionCapabilities: { fork: {} } } });
        const fork = chat.chats.fork(chat.chat.chatId);
        await fork?.controller.connect();
        assert.equal(fork?.store.state.sessionId, 's1-fork');
      },
    },
    {
      name: 'session/set_model',
      does: 'A model chosen in the footer, for agents that offer `models`.',
      run: it =>
        choose(
          it,
          {
            models: {
              currentModelId: 'a',
              availableModels: [
                { modelId: 'a', name: 'A' },
                { modelId: 'b', name: 'B' },
              ],
            },
          },
          'b',
        ),
    },
  ],
};

/** Archives a chat and takes it out again: `method` is called once. */
async function archived(it: Run, method: string): Promise<void> {
  const chat = await it.chat({ capabilities: { sessionCapabilities: { archive: {} } } });
  const lease = chat.agent.lease();
  await chat.chat.controller.setListed('archived');
  await chat.chat.controller.setListed(undefined);
  lease.dispose();
  assert.deepEqual(it.calls(method), [{ sessionId: 's1' }]);
}

const OPTIONS = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];

/** A command that is made in the first step; `then` calls name it `$LAST`. */
const inTerminal = (name: string, does: string, ...then: object[]): ConformanceCase =>
  inTurn(
    name,
    does,
    [
      ask('terminal/create', {
        command: process.execPath,
        args: ['-e', 'console.log(6 * 7)'],
      }),
      ...then,
    ],
    state => {
      assert.doesNotMatch(answers(state), /"code"/);
      assert.match(answers(state), /terminalId/);
    },
  );

const terminal = (method: string) => ask(method, { terminalId: '$LAST' });

export const clientMethods: ConformanceGroup = {
  title: 'What agents call',
  all: methods.client,
  cases: [
    {
      name: 'session/request_permission',
      does: "A card with the agent's own options; nothing is allowed by itself.",
      async run(it) {
        const chat = await it.chat();
        chat.send([
          ask('session/request_permission', {
            toolCall: { toolCallId: 't', title: 'Edit' },
            options: OPTIONS,
          }),
        ]);
        const { permissions } = await chat.until(state => state.permissions.length > 0);
        chooseOption(chat.chat.controller, permissions[0]?.id, 'yes');
        const state = await chat.until(({ activeTurn }) => !activeTurn);
        assert.match(answers(state), /"selected","optionId":"yes"/);
      },
    },
    {
      name: 'fs/read_text_file',
      does: 'The open document, else the file; outside the workspace the user is asked.',
      async run(it) {
        const chat = await it.chat();
        const file = path.join(chat.cwd, 'a');
        chat.send([
          ask('fs/write_text_file', { path: file, content: 'one\ntwo\n' }),
          ask('fs/read_text_file', { path: file }),
          ask('fs/read_text_file', { path: '/etc/passwd' }),
        ]);
        const { permissions } = await chat.until(state => state.permissions.length > 0);
        chooseOption(chat.chat.controller, permissions[0]?.id, 'reject');
        const state = await chat.until(({ activeTurn }) => !activeTurn);
        assert.match(answers(state), /"content":"one\\ntwo\\n".*"code"/);
      },
    },
    {
      name: 'fs/write_text_file',
      does: 'Written through the editor, to be reviewed; outside the workspace the user is asked.',
      async run(it) {
        const chat = await it.chat();
        const state = await chat.run([
          ask('fs/write_text_file', { path: path.join(chat.cwd, 'b'), content: 'x' }),
        ]);
        assert.equal(answers(state), '{}');
      },
    },
    inTerminal('terminal/create', 'A command in a process group of its own, shown as it runs.'),
    inTerminal(
      'terminal/output',
      'What it has written, up to the limit.',
      terminal('terminal/output'),
    ),
    inTurn(
      'terminal/wait_for_exit',
      'Answered when the command has ended.',
      [
        ask('terminal/create', { command: process.execPath, args: ['-e', ''] }),
        terminal('terminal/wait_for_exit'),
      ],
      state => assert.match(answers(state), /"exitCode":0/),
    ),
    inTerminal('terminal/kill', 'Ends the command; its output stays.', terminal('terminal/kill')),
    inTerminal(
      'terminal/release',
      'Ends the command and forgets it.',
      terminal('terminal/release'),
    ),
    {
      name: 'elicitation/create',
      does: 'A form, checked before it is sent, or a page, opened only on consent.',
      async run(it) {
        const chat = await it.chat();
        chat.send([
          ask('elicitation/create', {
            mode: 'form',
            message: 'Which?',
            requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
          }),
        ]);
        const { elicitations } = await chat.until(state => state.elicitations.length > 0);
        await chat.chat.controller.answerElicitation(
          elicitations[0]?.id ?? '',
          'accept',
          '{"a":"b"}',
        );
        const state = await chat.until(({ activeTurn }) => !activeTurn);
        assert.equal(answers(state), '{"action":"accept","content":{"a":"b"}}');
      },
    },
  ],
};

export const notifications: ConformanceGroup = {
  title: 'What agents report',
  all: methods.notifications,
  cases: [
    inTurn(
      'session/update',
      'See the updates below.',
      [update('agent_message_chunk', { content: text('Hi') })],
      state => assert.equal(parts(state).length, 1),
    ),
    {
      name: 'elicitation/complete',
      does: 'The card of the page goes.',
      async run(it) {
        const chat = await it.chat();
        chat.send([
          ask('elicitation/create', {
            mode: 'url',
            message: 'Sign in',
            elicitationId: 'e',
            url: 'https://example.com/',
          }),
          { send: { method: 'elicitation/complete', params: { elicitationId: 'e' } } },
          { waitCancel: true },
        ]);
        const { elicitations } = await chat.until(state => state.elicitations.length > 0);
        await chat.chat.controller.answerElicitation(elicitations[0]?.id ?? '', 'accept');
        await chat.until(state => state.elicitations.length === 0);
        assert.deepEqual(chat.opened, ['https://example.com/']);
        chat.chat.controller.stop();
        await chat.until(({ activeTurn }) => !activeTurn);
      },
    },
    inTurn(
      '$/cancel_request',
      'What the agent takes back is answered at once, and its card goes.',
      [
        {
          asks: [
            {
              method: 'session/request_permission',
              params: { toolCall: { toolCallId: 't', title: 'Edit' }, options: OPTIONS },
            },
          ],
        },
        { cancelAsked: true },
      ],
      state => assert.deepEqual(state.permissions, []),
    ),
  ],
};
