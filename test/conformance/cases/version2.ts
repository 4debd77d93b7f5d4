import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/acp/schema/schema';
import { abilitiesOf } from '../../../src/session/history/agentSessions';
import type { SessionState } from '../../../src/session/state/state';
import {
  ask,
  inTurn,
  only,
  parts,
  text,
  update,
  type ConformanceCase,
  type ConformanceGroup,
  type Run,
} from '../conformanceCase';
import { capabilitiesOf, kindsOf, v2 } from '../enumerate';

const kinds = (name: string) => kindsOf(name, v2.definitions);

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const MODEL = {
  type: 'select',
  configId: 'model',
  name: 'Model',
  category: 'model',
  currentValue: 'a',
  options: [
    { value: 'a', name: 'A' },
    { value: 'b', name: 'B' },
  ],
};
const base64 = (value: string) => Buffer.from(value).toString('base64');
const said = (state: SessionState) =>
  parts(state).map(part =>
    part.kind === 'text' || part.kind === 'thought' ? part.text : part.kind,
  );
const call = (fields: object) => update('tool_call_update', { toolCallId: 't', ...fields });

const one = (name: string, does: string, run: (it: Run) => Promise<void>): ConformanceCase => ({
  name,
  does,
  async run(it) {
    await run(it);
    assert.ok(it.called(name), `${name} was used`);
  },
});

export const agentMethods: ConformanceGroup = {
  title: 'What Parley calls',
  all: v2.agent,
  cases: [
    one('initialize', 'Asks for v2, and says what v1 wants to know as well.', async it => {
      const { state } = await it.chat();
      assert.deepEqual([state.agent.title, state.agent.version], ['Version 2', '2.0.0']);
    }),
    one('auth/login', 'The sign-in card; then the session opens.', async it => {
      const authMethods = [{ type: 'agent', methodId: 'a', name: 'A' }];
      const chat = await it.chat({ authMethods }, { connect: false });
      await chat.until(({ connection }) => connection.kind === 'signIn');
      await chat.chat.controller.signIn('a');
      assert.equal(chat.state.connection.kind, 'ready');
    }),
    one('auth/logout', '"Sign Out", for agents with ways to sign in.', async it => {
      const authMethods = [{ type: 'agent', methodId: 'a', name: 'A' }];
      const chat = await it.chat({ authMethods }, { connect: false });
      await chat.until(({ connection }) => connection.kind === 'signIn');
      await chat.chat.controller.signIn('a');
      await chat.agent.signOut();
    }),
    one('session/new', 'Every new chat; options and commands come with the answer.', async it => {
      const availableCommands = [{ type: 'command', name: 'web', description: 'Search' }];
      const { state } = await it.chat({ opened: { configOptions: [MODEL], availableCommands } });
      assert.equal(state.configOptions[0]?.id, 'model');
      assert.deepEqual(state.commands, [{ name: 'web', description: 'Search' }]);
    }),
    one(
      'session/resume',
      'A chat is resumed, replayed from the start where nothing is known.',
      async it => {
        const replay = [
          { sessionUpdate: 'user_message', messageId: 'u', content: [] },
          { sessionUpdate: 'user_message_chunk', messageId: 'u', content: text('first') },
          { sessionUpdate: 'agent_message', messageId: 'a', content: [text('one')] },
        ];
        const chat = await it.chat({ replay }, { connect: false });
        await chat.until(({ connection }) => connection.kind === 'ready');
        const taken = chat.chats.adopt('Program', { sessionId: 'old' });
        assert.ok(taken);
        await taken.controller.connect();
        const { turns } = taken.store.state;
        assert.deepEqual(
          turns.map(({ prompt, parts: own }) => [prompt?.text, own.length]),
          [['first', 1]],
        );
        assert.deepEqual(
          it.calls('session/resume').map(params => (params as { replayFrom?: object }).replayFrom),
          [{ type: 'start' }],
        );
      },
    ),
    one('session/list', '"Show Chats…" lists them.', async it => {
      const chat = await it.chat({ sessions: [{ sessionId: 'x', title: 'X' }] });
      const { sessions } = await (await chat.agent.connect()).listSessions({});
      assert.equal(sessions[0]?.title, 'X');
    }),
    one('session/delete', 'The bin in that list, for agents that offer it.', async it => {
      const chat = await it.chat({ capabilities: { session: { delete: {} } } });
      await (await chat.agent.connect()).deleteSession({ sessionId: 'x' });
    }),
    one('session/close', 'When a chat is closed.', async it => {
      const chat = await it.chat();
      await chat.chat.controller.close();
    }),
    one(
      'session/set_config_option',
      'An option chosen in the footer, modes among them.',
      async it => {
        const chat = await it.chat({ opened: { configOptions: [MODEL] } });
        await chat.chat.controller.setConfig('model', 'b');
        assert.equal(chat.state.configOptions[0]?.value, 'b');
      },
    ),
    one(
      'session/prompt',
      'A message, also while the agent works; the answer says that it was accepted.',
      async it => {
        const chat = await it.chat();
        const { turns } = await chat.run([]);
        assert.deepEqual([turns.length, turns[0]?.end?.reason], [1, 'end_turn']);
      },
    ),
    one('session/cancel', '"Stop"; the agent says when its work has ended.', async it => {
      const chat = await it.chat();
      chat.send([{ waitCancel: true }]);
      await chat.until(({ activeTurn }) => activeTurn);
      await until(() => it.called('session/prompt'));
      chat.chat.controller.stop();
      const { turns } = await chat.until(({ activeTurn }) => !activeTurn);
      assert.equal(turns[0]?.end?.reason, 'cancelled');
    }),
    one('tool_call/cancel', '"Kill" on a call that the agent says it can stop.', async it => {
      const chat = await it.chat();
      chat.send([
        call({ title: 'Watch', status: 'in_progress', capabilities: { cancel: {} } }),
        { waitStop: true },
        call({ status: 'cancelled', capabilities: null }),
      ]);
      await chat.until(({ activeTurn }) => activeTurn?.parts.length);
      await chat.chat.controller.cancelToolCall('t');
      const state = await chat.until(({ activeTurn }) => !activeTurn);
      assert.equal(only(state, 'tool').status, 'cancelled');
    }),
    one('terminal/cancel', '"Kill" on a command that the agent says it can stop.', async it => {
      const chat = await it.chat();
      chat.send([
        update('terminal_update', {
          terminalId: 'x',
          command: 'make',
          capabilities: { cancel: {} },
        }),
        { waitStop: true },
        update('terminal_update', { terminalId: 'x', exitStatus: { signal: 'SIGTERM' } }),
      ]);
      await chat.until(({ terminals }) => terminals['x']);
      await chat.chat.controller.killTerminal('x');
      const { terminals } = await chat.until(({ activeTurn }) => !activeTurn);
      assert.equal(terminals['x']?.exit?.signal, 'SIGTERM');
    }),
    {
      name: '$/cancel_request',
      does: 'A request that is given up; never a prompt.',
      async run(it) {
        const chat = await it.chat();
        const link = await chat.agent.connect();
        const abort = new AbortController();
        const asked = link.listSessions({}, abort.signal);
        abort.abort();
        await assert.rejects(asked);
        await until(() => it.called('$/cancel_request'));
      },
    },
  ],
};

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 5));
}

/** Asks for permission, says what is shown, and answers with the first option. */
const permission = (
  name: string,
  does: string,
  params: object,
  check: (state: SessionState) => void,
): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const chat = await it.chat();
    chat.send([
      ask('session/request_permission', { title: 'May I?', options: OPTIONS, ...params }),
    ]);
    const asked = await chat.until(({ permissions }) => permissions.length > 0);
    check(asked);
    const [request] = asked.permissions;
    assert.ok(request);
    const { id: requestId, revision } = request;
    assert.ok(chat.chat.controller.answerPermission({ requestId, revision, option: 0 }));
    const state = await chat.until(({ activeTurn }) => !activeTurn);
    assert.match(said(state).join(''), /"optionId":"yes"/);
  },
});

export const clientMethods: ConformanceGroup = {
  title: 'What agents call',
  all: v2.client,
  cases: [
    permission(
      'session/request_permission',
      'A card with title, description and options; nothing is allowed by itself.',
      { description: 'It is safe.' },
      ({ permissions, ...state }) => {
        assert.equal(permissions[0]?.title, 'May I?');
        assert.match(JSON.stringify(parts({ permissions, ...state })), /It is safe/);
      },
    ),
    {
      name: 'elicitation/create',
      does: 'A form, checked before it is sent, or a page, opened only on consent.',
      async run(it) {
        const chat = await it.chat();
        const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } };
        chat.send([
          ask('elicitation/create', { mode: 'form', message: 'Which?', requestedSchema }),
        ]);
        const { elicitations } = await chat.until(state => state.elicitations.length > 0);
        const { id = '' } = elicitations[0] ?? {};
        await chat.chat.controller.answerElicitation(id, 'accept', JSON.stringify({ a: 'x' }));
        const state = await chat.until(({ activeTurn }) => !activeTurn);
        assert.match(said(state).join(''), /"action":"accept"/);
      },
    },
  ],
};

export const notifications: ConformanceGroup = {
  title: 'What agents report',
  all: v2.notifications,
  cases: [
    inTurn('session/update', 'See the updates below.', [], state =>
      assert.equal(state.turns.length, 1),
    ),
    inTurn('elicitation/complete', 'The card of the page goes.', [], () => undefined),
  ],
};

const message = (kind: string, does: string): ConformanceCase =>
  inTurn(
    kind,
    does,
    [
      update(`${kind}_chunk`, { messageId: 'x', content: text('dra') }),
      update(`${kind}_chunk`, { messageId: 'x', content: text('ft') }),
      update(kind, { messageId: 'x', content: [text('Whole. ')] }),
      update(`${kind}_chunk`, { messageId: 'x', content: text('More.') }),
      update(kind, { messageId: 'x' }),
      update(kind, { messageId: 'y', content: [text('Gone')] }),
      update(kind, { messageId: 'y', content: null }),
    ],
    state => assert.deepEqual(said(state), ['Whole. More.']),
  );

const chunk = (kind: string, does: string): ConformanceCase =>
  inTurn(
    kind,
    does,
    [
      update(kind, { messageId: 'x', content: text('One ') }),
      update(kind, { messageId: 'y', content: text('Two ') }),
      update(kind, { messageId: 'x', content: text('one') }),
      update(kind, { messageId: 'y', content: text('two') }),
    ],
    state => assert.deepEqual(said(state), ['One one', 'Two two']),
  );

const userMessage = (kind: string, does: string, content: unknown): ConformanceCase =>
  inTurn(kind, does, [update(kind, { messageId: 'u', content })], state => {
    assert.equal(state.turns.length, 1);
    assert.equal(parts(state).length, 0);
  });

export const updates: ConformanceGroup = {
  title: 'Updates (`session/update`)',
  all: kinds('SessionUpdate'),
  cases: [
    userMessage('user_message', 'An echo is not shown twice; a replay begins its turn.', [
      text('['),
    ]),
    userMessage('user_message_chunk', 'The same, in pieces.', text('[')),
    message('agent_message', 'Takes the place of what has come of the message; null clears it.'),
    chunk('agent_message_chunk', 'Goes on with its message, also when another came between.'),
    message('agent_thought', 'The same for a thought.'),
    chunk('agent_thought_chunk', 'The same for a thought.'),
    inTurn('state_update', 'Idle ends the turn that the agent has accepted.', [], state =>
      assert.equal(state.turns[0]?.end?.reason, 'end_turn'),
    ),
    inTurn(
      'tool_call_update',
      'A tool call is made or changed: what is left out stays, null goes.',
      [
        call({
          title: 'Read',
          kind: 'read',
          status: 'in_progress',
          locations: [{ path: '/w/a', line: 3 }],
          content: [{ type: 'content', content: text('x') }],
        }),
        call({ status: 'completed' }),
        call({ content: null, locations: null }),
      ],
      state => {
        const { title, toolKind, status, locations, content } = only(state, 'tool');
        assert.deepEqual([title, toolKind, status], ['Read', 'read', 'completed']);
        assert.deepEqual([locations, content], [[], []]);
      },
    ),
    inTurn(
      'tool_call_content_chunk',
      'One more piece of what stands in a call.',
      [
        call({ title: 'Run' }),
        update('tool_call_content_chunk', {
          toolCallId: 't',
          content: { type: 'content', content: text('a') },
        }),
        update('tool_call_content_chunk', {
          toolCallId: 't',
          content: { type: 'content', content: text('b') },
        }),
      ],
      state => assert.equal(only(state, 'tool').content.length, 2),
    ),
    inTurn(
      'terminal_update',
      'A command that the agent runs: its line, all of its output, and how it ended.',
      [
        update('terminal_update', { terminalId: 'x', command: 'make', cwd: '/w' }),
        call({ title: 'make', kind: 'execute', content: [{ type: 'terminal', terminalId: 'x' }] }),
        update('terminal_output_chunk', { terminalId: 'x', data: base64('old') }),
        update('terminal_update', { terminalId: 'x', output: { data: base64('all\n') } }),
        update('terminal_update', { terminalId: 'x', exitStatus: { exitCode: 2 } }),
      ],
      ({ terminals }) => {
        const { command, cwd, output, exit } = terminals['x'] ?? {};
        assert.deepEqual([command, cwd, output, exit?.exitCode], ['make', '/w', 'all\n', 2]);
      },
    ),
    inTurn(
      'terminal_output_chunk',
      'More of its output; a character may come in two pieces.',
      ['Gr', Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1), 'n'].map(piece =>
        update('terminal_output_chunk', {
          terminalId: 'x',
          data: Buffer.from(piece).toString('base64'),
        }),
      ),
      ({ terminals }) => assert.equal(terminals['x']?.output, 'Grün'),
    ),
    inTurn(
      'plan_update',
      'A plan with its id stands above the composer.',
      [
        update('plan_update', {
          plan: {
            type: 'items',
            planId: 'p',
            entries: [{ content: 'A', priority: 'high', status: 'in_progress' }],
          },
        }),
      ],
      ({ plans }) => assert.equal(plans?.[0]?.planId, 'p'),
    ),
    inTurn(
      'available_commands_update',
      'Commands are offered after `/`, with the hint of what to type.',
      [
        update('available_commands_update', {
          availableCommands: [
            {
              type: 'command',
              name: 'web',
              description: 'Search',
              input: { type: 'text', hint: 'what' },
            },
          ],
        }),
      ],
      ({ commands }) =>
        assert.deepEqual(commands, [{ name: 'web', description: 'Search', hint: 'what' }]),
    ),
    inTurn(
      'config_option_update',
      'The options in the footer are replaced.',
      [update('config_option_update', { configOptions: [MODEL] })],
      ({ configOptions }) => assert.equal(configOptions[0]?.id, 'model'),
    ),
    inTurn(
      'session_info_update',
      'The title of the chat.',
      [update('session_info_update', { title: 'Colors' })],
      ({ title }) => assert.equal(title, 'Colors'),
    ),
    inTurn(
      'usage_update',
      'A meter of the context, and the cost.',
      [update('usage_update', { used: 1, size: 2 })],
      ({ usage }) => assert.deepEqual(usage, { used: 1, size: 2 }),
    ),
    inTurn(
      'notice',
      'A line in the chat, colored by its severity.',
      [update('notice', { severity: 'warning', title: 'Slow' })],
      state => assert.equal(only(state, 'notice').text, 'Slow'),
    ),
    inTurn(
      'compaction_update',
      'A notice that changes in place.',
      [update('compaction_update', { compactionId: 'c', status: 'completed' })],
      state => assert.equal(only(state, 'notice').level, 'info'),
    ),
    inTurn(
      'compaction_summary_chunk',
      'The summary grows, folded.',
      [update('compaction_summary_chunk', { compactionId: 'c', content: text('So') })],
      state => assert.equal(only(state, 'notice').body, 'So'),
    ),
  ],
};

export const states: ConformanceGroup = {
  title: 'States of a session',
  all: kinds('StateUpdate'),
  cases: [
    inTurn('running', 'The agent works.', [update('state_update', { state: 'running' })], state =>
      assert.equal(state.turns.length, 1),
    ),
    inTurn(
      'requires_action',
      'It waits for the user: what it asks is shown.',
      [update('state_update', { state: 'requires_action' })],
      state => assert.equal(state.turns.length, 1),
    ),
    inTurn('idle', 'The turn has ended.', [{ idle: {} }], state =>
      assert.equal(state.turns[0]?.end?.reason, 'end_turn'),
    ),
  ],
};

const stops = (name: string, does: string, reason: string, more: object = {}): ConformanceCase =>
  inTurn(name, does, [{ idle: { stopReason: name, ...more } }], state =>
    assert.equal(state.turns[0]?.end?.reason, reason),
  );

export const stopReasons: ConformanceGroup = {
  title: 'Stop reasons',
  // `none` is no reason.
  all: kinds('IdleStateUpdate').filter(kind => kind !== 'none'),
  cases: [
    stops('end_turn', 'The turn is done.', 'end_turn'),
    stops('max_tokens', 'Said under the turn, with "Continue".', 'max_tokens'),
    stops('max_turn_requests', 'Said under the turn, with "Continue".', 'max_turn_requests'),
    stops('refusal', 'Said under the turn.', 'refusal'),
    stops('cancelled', 'Said under the turn.', 'cancelled'),
    inTurn(
      'error',
      'Said with what to do next, as a prompt that is answered with an error.',
      [{ idle: { stopReason: 'error', error: { code: -32603, message: 'Out of cheese' } } }],
      state => {
        assert.equal(state.turns[0]?.end?.reason, 'failed');
        assert.match(JSON.stringify(parts(state)), /Out of cheese/);
      },
    ),
  ],
};

const reply = (name: string, does: string, block: object): ConformanceCase =>
  inTurn(
    name,
    does,
    [update('agent_message', { messageId: 'x', content: [{ type: name, ...block }] })],
    state => assert.equal(parts(state).length, 1),
  );

export const replies: ConformanceGroup = {
  title: 'Content in replies',
  all: kinds('ContentBlock'),
  cases: [
    reply('text', 'Markdown.', { text: 'x' }),
    reply('image', 'The image itself.', { data: 'eA==', mimeType: 'image/png' }),
    reply('audio', 'The sound, with its type and size.', { data: 'eA==', mimeType: 'audio/wav' }),
    reply('resource_link', 'A link.', { uri: 'file:///w/a', name: 'a' }),
    reply('resource', 'The text, folded.', { resource: { uri: 'file:///w/a', text: 'x' } }),
  ],
};

const prompted = (name: string, does: string, block: object): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const resolve = () => Promise.resolve([{ type: name, ...block } as never]);
    const capabilities = { session: { prompt: { image: {}, audio: {}, embeddedContext: {} } } };
    const chat = await it.chat({ capabilities }, { attachments: { resolve } });
    chat.chat.controller.attach({ id: 'x', kind: 'file', label: 'x', title: 'x' });
    await chat.run([]);
    const [params] = it.calls('session/prompt') as { readonly prompt: { type: string }[] }[];
    assert.ok(params?.prompt.some(({ type }) => type === name));
  },
});

export const prompts: ConformanceGroup = {
  title: 'Content in prompts',
  all: kinds('ContentBlock'),
  cases: [
    prompted('text', 'What was typed.', { text: 'x' }),
    prompted('image', 'Images, if the agent takes them.', { data: 'eA==', mimeType: 'image/png' }),
    prompted('audio', 'Sounds, if the agent takes them.', { data: 'eA==', mimeType: 'audio/wav' }),
    prompted('resource_link', 'Large files.', { uri: 'file:///w/a', name: 'a' }),
    prompted('resource', 'Selections and small files, if the agent takes them.', {
      resource: { uri: 'file:///w/a', text: 'x' },
    }),
  ],
};

const PATCH = [
  'diff --git a/w/a.ts b/w/a.ts',
  '--- a/w/a.ts',
  '+++ b/w/a.ts',
  '@@ -1,2 +1,2 @@',
  '-one',
  '+two',
  ' end',
  '',
].join('\n');

const holds = (name: string, does: string, content: object, kind: string): ConformanceCase =>
  inTurn(name, does, [call({ title: 'T', kind: 'edit', content: [content] })], state =>
    assert.equal(only(state, 'tool').content[0]?.kind, kind),
  );

export const toolContents: ConformanceGroup = {
  title: 'Content of tool calls',
  all: kinds('ToolCallContent'),
  cases: [
    holds('content', 'Any of the blocks above.', { type: 'content', content: text('x') }, 'block'),
    holds(
      'diff',
      'The changes of the patch in lines; of others, what happens to the file.',
      {
        type: 'diff',
        changes: [{ operation: 'modify', path: '/w/a.ts' }],
        patch: { format: 'git_patch', text: PATCH },
      },
      'diff',
    ),
    holds(
      'terminal',
      'The output of the command as it comes.',
      { type: 'terminal', terminalId: 'x' },
      'terminal',
    ),
  ],
};

const changed = (
  operation: string,
  does: string,
  check: (state: SessionState) => void,
  more: { readonly oldPath?: string } & object = {},
): ConformanceCase =>
  inTurn(
    operation,
    does,
    [
      call({
        title: 'T',
        kind: 'edit',
        locations: [{ path: '/w/own.ts' }],
        content: [{ type: 'diff', changes: [{ operation, path: '/w/a.ts', ...more }] }],
      }),
    ],
    state => {
      assert.deepEqual(
        only(state, 'tool').locations.map(({ path }) => path),
        ['/w/own.ts', '/w/a.ts', ...(more.oldPath === undefined ? [] : [more.oldPath])],
      );
      check(state);
    },
  );
const fate = (change: string) => (state: SessionState) => {
  const [content] = only(state, 'tool').content;
  assert.ok(content?.kind === 'diff');
  assert.equal(content.diff.change, change);
};
const words = (pattern: RegExp) => (state: SessionState) =>
  assert.match(JSON.stringify(only(state, 'tool').content), pattern);

export const changes: ConformanceGroup = {
  title: 'Changes in diffs',
  all: kinds('DiffChange'),
  cases: [
    changed('add', 'Said where no patch shows it.', words(/Added/)),
    changed('delete', 'The file is marked as deleted.', fate('deleted')),
    changed('modify', 'Said where no patch shows it.', words(/Changed/)),
    changed('move', 'The file is marked as moved, with where it was.', fate('moved'), {
      oldPath: '/w/b.ts',
    }),
    changed('copy', 'Said, with what it was copied from.', words(/Copied/), { oldPath: '/w/b.ts' }),
  ],
};

const status = (name: string, does: string, shown: string): ConformanceCase =>
  inTurn(name, does, [call({ title: 'T', status: name })], state =>
    assert.equal(only(state, 'tool').status, shown),
  );

export const toolStatuses: ConformanceGroup = {
  title: 'States of tool calls',
  all: kinds('ToolCallStatus'),
  cases: [
    status('pending', 'Waits; done with its turn if nobody says otherwise.', 'cancelled'),
    status('in_progress', 'Runs; done with its turn if nobody says otherwise.', 'completed'),
    status('paused', 'As one that runs.', 'completed'),
    status('completed', 'Done.', 'completed'),
    status('failed', 'Failed, with what it said.', 'failed'),
    status('cancelled', 'Cancelled.', 'cancelled'),
  ],
};

export const plans: ConformanceGroup = {
  title: 'Plans',
  all: kinds('PlanUpdateContent'),
  cases: [
    inTurn(
      'items',
      'Steps; those that are cancelled are left out. A plan of another type is shown as it came.',
      [
        update('plan_update', {
          plan: {
            type: 'items',
            planId: 'p',
            entries: [
              { content: 'A', priority: 'low', status: 'pending' },
              { content: 'B', priority: 'low', status: 'cancelled' },
            ],
          },
        }),
        update('plan_update', { plan: { type: '_graph', planId: 'q', nodes: 3 } }),
      ],
      state => {
        const [plan] = state.plans ?? [];
        assert.ok(plan?.kind === 'steps');
        assert.deepEqual(
          plan.entries.map(({ content }) => content),
          ['A'],
        );
        assert.equal(only(state, 'content').block.kind, 'unknown');
      },
    ),
  ],
};

export const subjects: ConformanceGroup = {
  title: 'What permission is asked for',
  all: kinds('RequestPermissionSubject'),
  cases: [
    permission(
      'tool_call',
      'The card of the call, with what it would do.',
      { subject: { type: 'tool_call', toolCall: { toolCallId: 't', kind: 'edit' } } },
      state => assert.equal(only(state, 'tool').toolKind, 'edit'),
    ),
    permission(
      'command',
      'The command line and its folder.',
      { subject: { type: 'command', command: 'rm -r x', cwd: '/w' } },
      state => {
        assert.equal(only(state, 'tool').toolKind, 'execute');
        assert.match(JSON.stringify(only(state, 'tool').rawInput), /rm -r x/);
      },
    ),
  ],
};

export const options: ConformanceGroup = {
  title: 'Options of a session',
  all: kinds('SessionConfigOption'),
  cases: [
    {
      name: 'select',
      does: 'One of several, in groups if there are some.',
      async run(it) {
        const grouped = [{ groupId: 'g', name: 'G', options: MODEL.options }];
        const chat = await it.chat({ opened: { configOptions: [{ ...MODEL, options: grouped }] } });
        const [option] = chat.state.configOptions;
        assert.ok(option?.type === 'select');
        assert.equal(option.groups[0]?.name, 'G');
      },
    },
    {
      name: 'boolean',
      does: 'On or off.',
      async run(it) {
        const option = { type: 'boolean', configId: 'fast', name: 'Fast', currentValue: false };
        const chat = await it.chat({ opened: { configOptions: [option] } });
        await chat.chat.controller.setConfig('fast', true);
        assert.equal(chat.state.configOptions[0]?.value, true);
      },
    },
  ],
};

const path = (name: string): object =>
  name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), {}) as object;

const declared = (
  name: string,
  does: string,
  check: (of: Declared) => unknown,
): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const chat = await it.chat({ capabilities: path(name) });
    const { initialized } = await chat.agent.connect();
    const { capabilities } = chat.state.agent;
    assert.ok(check({ capabilities, initialized }));
  },
});

interface Declared {
  readonly capabilities: SessionState['agent']['capabilities'];
  readonly initialized: Parameters<typeof abilitiesOf>[0];
}

export const agentCapabilities: ConformanceGroup = {
  title: 'What agents declare',
  all: capabilitiesOf('AgentCapabilities', '', v2.definitions).filter(name => name !== 'auth'),
  cases: [
    declared(
      'session.prompt.image',
      'Images can be attached.',
      ({ capabilities }) => capabilities.image,
    ),
    declared(
      'session.prompt.audio',
      'Sounds can be attached.',
      ({ capabilities }) => capabilities.audio,
    ),
    declared(
      'session.prompt.embeddedContext',
      'Selections and small files are sent whole.',
      ({ capabilities }) => capabilities.embeddedContext,
    ),
    declared('session.mcp.stdio', 'MCP servers that are programs are handed on.', () => true),
    declared(
      'session.mcp.http',
      'MCP servers over HTTP are handed on.',
      ({ initialized }) => initialized.agentCapabilities?.mcpCapabilities?.http,
    ),
    declared(
      'session.delete',
      'Its sessions can be deleted.',
      ({ initialized }) => abilitiesOf(initialized).delete,
    ),
    declared(
      'session.additionalDirectories',
      'The other folders of the workspace are handed on.',
      ({ initialized }) =>
        initialized.agentCapabilities?.sessionCapabilities?.additionalDirectories,
    ),
  ],
};

const server = (name: string, does: string, servers: readonly McpServer[]): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const capabilities = { session: { mcp: { stdio: {}, http: {} } } };
    await it.chat({ capabilities }, { mcpServers: () => Promise.resolve(servers) });
    const [params] = it.calls('session/new') as { readonly mcpServers: { type: string }[] }[];
    assert.equal(params?.mcpServers[0]?.type, name);
  },
});

export const mcpServers: ConformanceGroup = {
  title: 'MCP servers',
  all: kinds('McpServer'),
  cases: [
    server('http', 'To agents that can use them.', [
      { type: 'http', name: 'b', url: 'https://b.example/', headers: [] },
    ]),
    server('stdio', 'To every agent, with its type.', [
      { name: 'a', command: '/bin/a', args: [], env: [] },
    ]),
  ],
};

const signsIn = (type: string, does: string, more: object = {}): ConformanceCase => ({
  name: type,
  does,
  async run(it) {
    const authMethods = [{ type, methodId: 'm', name: 'M', ...more }];
    const chat = await it.chat({ authMethods }, { connect: false });
    const { connection } = await chat.until(state => state.connection.kind === 'signIn');
    assert.ok(connection.kind === 'signIn');
    assert.deepEqual(
      connection.methods.map(method => [method.id, method.type]),
      [['m', type]],
    );
  },
});

export const signInMethods: ConformanceGroup = {
  title: 'Ways to sign in',
  all: kinds('AuthMethod'),
  cases: [
    signsIn('terminal', "The agent's command with the method's arguments, in a terminal.", {
      args: ['login'],
      env: [{ name: 'A', value: 'b' }],
    }),
    signsIn('agent', '`auth/login`: the agent does the rest.'),
  ],
};
