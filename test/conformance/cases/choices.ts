import assert from 'node:assert/strict';
import {
  inTurn,
  only,
  parts,
  update,
  ask,
  type ConformanceCase,
  type ConformanceGroup,
} from '../conformanceCase';
import { errorCodes, kindsOf } from '../enumerate';
import { choose } from '../../unit/session/choose';

const REASONS: Readonly<Record<string, string>> = {
  end_turn: 'The turn is done.',
  max_tokens: 'Said under the turn, with "Continue".',
  max_turn_requests: 'Said under the turn, with "Continue".',
  refusal: 'Said under the turn.',
  cancelled: 'Said under the turn: by the user, or by the agent after a no.',
};

export const stopReasons: ConformanceGroup = {
  title: 'Stop reasons',
  all: kindsOf('StopReason'),
  cases: Object.entries(REASONS).map(([stopReason, does]) =>
    inTurn(stopReason, does, [{ respond: { stopReason } }], state =>
      assert.equal(state.turns[0]?.end?.reason, stopReason),
    ),
  ),
};

const KINDS: Readonly<Record<string, string>> = {
  read: 'Icon and verb of its own, as the following.',
  edit: 'Shows its diff unfolded.',
  delete: '',
  move: '',
  search: '',
  execute: 'Shows its command and output.',
  think: '',
  fetch: '',
  switch_mode: '',
  other: 'Also for kinds that are not known.',
};

export const toolKinds: ConformanceGroup = {
  title: 'Kinds of tools',
  all: kindsOf('ToolKind'),
  cases: Object.entries(KINDS).map(([kind, does]) =>
    inTurn(kind, does, [update('tool_call', { toolCallId: 't', title: 'T', kind })], state =>
      assert.equal(only(state, 'tool').toolKind, kind),
    ),
  ),
};

const STATUSES: Readonly<Record<string, readonly [shown: string, does: string]>> = {
  pending: ['completed', 'Waits; done with its turn if nobody says otherwise.'],
  in_progress: ['completed', 'Runs, with its time; done with its turn if nobody says otherwise.'],
  completed: ['completed', 'Done.'],
  failed: ['failed', 'Failed, with what it said.'],
};

export const toolStatuses: ConformanceGroup = {
  title: 'States of tool calls',
  all: kindsOf('ToolCallStatus'),
  cases: Object.entries(STATUSES).map(([status, [, does]]) => ({
    name: status,
    does,
    async run(it) {
      const chat = await it.chat();
      chat.send([
        update('tool_call', { toolCallId: 't', title: 'T', status }),
        { waitCancel: true },
      ]);
      const { activeTurn } = await chat.until(state => state.activeTurn?.parts.length);
      const [part] = activeTurn?.parts ?? [];
      const shown = status === 'in_progress' ? 'running' : status;
      assert.equal(part?.kind === 'tool' && part.status, shown);
      chat.chat.controller.stop();
      await chat.until(state => !state.activeTurn);
    },
  })),
};

const OPTION_KINDS: Readonly<Record<string, readonly [outcome: string, does: string]>> = {
  allow_once: ['running', 'A button, and the command "Allow".'],
  allow_always: ['running', 'A button; never chosen by a command.'],
  reject_once: ['rejected', 'A button, and the command "Reject".'],
  reject_always: ['rejected', 'A button; never chosen by a command.'],
};

export const optionKinds: ConformanceGroup = {
  title: 'Kinds of permission options',
  all: kindsOf('PermissionOptionKind'),
  cases: Object.entries(OPTION_KINDS).map(([kind, [outcome, does]]) => ({
    name: kind,
    does,
    async run(it) {
      const chat = await it.chat();
      chat.send([
        ask('session/request_permission', {
          toolCall: { toolCallId: 't', title: 'Edit' },
          options: [{ optionId: 'o', name: 'O', kind }],
        }),
        { waitCancel: true },
      ]);
      const { permissions } = await chat.until(state => state.permissions.length > 0);
      choose(chat.chat.controller, permissions[0]?.id, 'o');
      const call = parts(chat.state).find(part => part.kind === 'tool');
      assert.equal(call?.kind === 'tool' && call.status, outcome);
      chat.chat.controller.stop();
      await chat.until(state => !state.activeTurn);
    },
  })),
};

const field = (
  name: string,
  does: string,
  property: object,
  value: unknown,
  sent: unknown,
): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const chat = await it.chat();
    chat.send([
      ask('elicitation/create', {
        mode: 'form',
        message: 'Which?',
        requestedSchema: { type: 'object', properties: { x: property }, required: ['x'] },
      }),
    ]);
    const { elicitations } = await chat.until(state => state.elicitations.length > 0);
    const { controller } = chat.chat;
    const id = elicitations[0]?.id ?? '';
    await controller.answerElicitation(id, 'accept', '{}');
    assert.equal(chat.state.elicitations.length, 1, 'it is needed');
    await controller.answerElicitation(id, 'accept', JSON.stringify({ x: value }));
    const state = await chat.until(({ activeTurn }) => !activeTurn);
    assert.equal(
      only(state, 'text').text,
      JSON.stringify({ action: 'accept', content: { x: sent } }),
    );
  },
});

export const formFields: ConformanceGroup = {
  title: 'Fields of forms',
  all: kindsOf('ElicitationPropertySchema'),
  cases: [
    field(
      'string',
      'Text with length, pattern and format; one of several for `enum` and `oneOf`.',
      { type: 'string', minLength: 1, pattern: '^a', format: 'email' },
      'a@b.example',
      'a@b.example',
    ),
    field('number', 'A number within its bounds.', { type: 'number', maximum: 2 }, '1.5', 1.5),
    field('integer', 'A whole number within its bounds.', { type: 'integer', minimum: 2 }, '2', 2),
    field('boolean', 'A checkbox.', { type: 'boolean' }, false, false),
    field(
      'array',
      'Any of several, between the least and the most.',
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
      ['b'],
      ['b'],
    ),
  ],
};

const ERRORS: Readonly<Record<string, string>> = {
  '-32700': 'Said with what to do next; the chat goes on, as with the following.',
  '-32600': '',
  '-32601': 'Says that the agent cannot do this.',
  '-32602': '',
  '-32603': '',
  '-32800': '',
  '-32000': 'The sign-in card; the message is kept and sent afterwards.',
  '-32002': '',
};

const failing = (code: number, does: string): ConformanceCase => ({
  name: String(code),
  does,
  async run(it) {
    const signsIn = code === -32000;
    const chat = await it.chat(signsIn ? { auth: [{ id: 'a', name: 'A' }], signedIn: true } : {});
    chat.send([{ fail: { code, message: 'No', data: { details: 'because' } } }]);
    const state = await chat.until(({ turns }) => turns[0]?.end);
    assert.equal(state.turns[0]?.end?.reason, 'failed');
    if (signsIn) {
      await chat.until(({ connection }) => connection.kind === 'signIn');
      assert.equal(chat.state.queue.length, 1, 'the message is kept');
    } else {
      assert.equal(only(state, 'notice').level, 'error');
      assert.match(only(state, 'notice').detail ?? '', /No: because\./);
      const next = await chat.run([]);
      assert.equal(next.turns[1]?.end?.reason, 'end_turn');
    }
  },
});

/** Codes of older drafts and of services, which agents pass on. */
const OTHER_ERRORS: Readonly<Record<string, string>> = {
  '-31001': 'Codes of the early draft (-31001 to -31999), each with its meaning.',
  '401': 'HTTP statuses as codes: of credentials,',
  '429': 'of limits,',
  '503': 'and of services that fail.',
  '7': 'Any other: what the agent says.',
};

export const errors: ConformanceGroup = {
  title: 'Errors that agents answer a prompt with',
  all: errorCodes(),
  cases: Object.entries(ERRORS).map(([code, does]) => failing(Number(code), does)),
};

export const otherErrors: ConformanceGroup = {
  title: 'Errors outside the schema',
  cases: Object.entries(OTHER_ERRORS).map(([code, does]) => ({
    name: code,
    does,
    async run(it) {
      const chat = await it.chat();
      const state = await chat.run([{ fail: { code: Number(code), message: 'No' } }]);
      assert.equal(only(state, 'notice').level, 'error');
      assert.equal((await chat.run([])).turns.at(-1)?.end?.reason, 'end_turn');
    },
  })),
};
