/** Random actions over a small world of ids, so that they meet each other often. */
import fc from 'fast-check';
import type { DiffView } from '../../../src/session/state/content';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession, NO_CAPABILITIES } from '../../../src/session/state/initialSession';
import type { Attachment } from '../../../src/session/state/state';

export const START = initialSession({ chatId: 'c', agentName: 'Agent', cwd: '/w', at: 0 });

const at = fc.integer({ min: 1, max: 1000 });
const id = fc.constantFrom('a', 'b', 'c');
const words = fc.constantFrom('', 'x', 'hello ', 'do it', '\n\n# h\n', '😀', 'ünïcödé');
const messageId = fc.option(fc.constantFrom('m1', 'm2'), { nil: undefined });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Removes `undefined` fields: the wire and the types know only absent ones. */
function compact<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const attachment: fc.Arbitrary<Attachment> = id.map(value => ({
  id: value,
  kind: 'file',
  label: value,
  title: value,
}));

const message = fc.record({
  id,
  text: words,
  attachments: fc.array(attachment, { maxLength: 2 }),
});

/** Part and turn ids are fresh in life; here a counter makes them so. */
let counter = 0;
const fresh = fc.constant(null).map(() => `n${(counter += 1)}`);

const chunk = fc.record({
  type: fc.constant('chunkReceived' as const),
  stream: fc.constantFrom('text' as const, 'thought' as const, 'user' as const),
  turnId: fresh,
  partId: fresh,
  parentToolCallId: maybe(id),
  messageId,
  text: words,
  at,
});

const unplacedDiff = (ref: string): DiffView => ({
  ...{ ref, path: '/w/a.ts', change: 'modified', added: 1, removed: 0, lineUnknown: true },
  hunks: [{ line: 1, lines: [{ sign: '+', text: 'x' }] }],
  truncated: false,
});

const toolCall = fc.record({
  type: fc.constant('toolCallChanged' as const),
  turnId: fresh,
  partId: fresh,
  toolCallId: id,
  announced: fc.boolean(),
  parentToolCallId: maybe(id),
  title: maybe(words),
  toolKind: maybe(fc.constantFrom('read', 'edit', 'execute')),
  status: maybe(
    fc.constantFrom(
      'pending' as const,
      'running' as const,
      'completed' as const,
      'failed' as const,
    ),
  ),
  content: maybe(
    fc.array(
      fc.oneof(
        id.map(terminalId => ({ kind: 'terminal' as const, terminalId })),
        id.map(ref => ({ kind: 'diff' as const, diff: unplacedDiff(ref) })),
      ),
      { maxLength: 2 },
    ),
  ),
  at,
});

const someOutput = fc.record({
  type: fc.constant('terminalOutput' as const),
  terminalId: id,
  data: fc.oneof(
    words,
    fc.constantFrom('y'.repeat(40_000), '😀'.repeat(20_000), `z${'😀'.repeat(32_768)}`),
  ),
  at,
});

const terminalOutput = fc.oneof(
  someOutput,
  someOutput.map(output => ({ ...output, replaces: true as const })),
  someOutput.map(output => ({ ...output, dropped: true as const })),
  fc.tuple(someOutput, words).map(([output, screen]) => ({ ...output, screen })),
);

const form = fc.record({
  id,
  message: words,
  toolCallId: maybe(id),
  requestedAt: at,
  kind: fc.constant('form' as const),
  fields: fc.constant([]),
});
const page = fc.record({
  id,
  message: words,
  requestedAt: at,
  kind: fc.constant('page' as const),
  url: words,
  host: words,
  opened: fc.constant(false),
});

const kinds: readonly fc.Arbitrary<SessionAction>[] = [
  fc.record({
    type: fc.constant('connectionChanged' as const),
    connection: fc.constantFrom({ kind: 'ready' as const }, { kind: 'stopped' as const }),
  }),
  fc.record({
    type: fc.constant('agentIdentified' as const),
    title: words,
    capabilities: fc.constant(NO_CAPABILITIES),
  }),
  fc.record({ type: fc.constant('sessionStarted' as const), sessionId: id }),
  fc.record({ type: fc.constant('titleChanged' as const), title: maybe(words) }),
  fc.record({
    type: fc.constant('titleChanged' as const),
    title: maybe(words),
    byUser: fc.constant(true as const),
  }),
  fc.record({
    type: fc.constant('listedChanged' as const),
    listed: fc.constantFrom('pinned' as const, 'archived' as const, undefined),
  }),
  fc.record({ type: fc.constant('agentArchived' as const), isArchived: fc.boolean() }),
  fc.constant({ type: 'transcriptCleared' as const }),
  fc.constant({ type: 'transcriptRestored' as const, turns: [], terminals: {} }),
  fc.record({
    type: fc.constant('turnStarted' as const),
    turnId: fresh,
    prompt: message,
    at,
  }),
  fc.constant({ type: 'cancelRequested' as const }),
  fc.record({
    type: fc.constant('turnEnded' as const),
    end: fc.record({ reason: fc.constantFrom('end_turn' as const, 'cancelled' as const) }),
    planPartId: fresh,
    at,
  }),
  fc.record({
    type: fc.constant('contentReceived' as const),
    turnId: fresh,
    partId: fresh,
    block: fc.constant({ kind: 'audio' as const, mimeType: 'audio/wav', bytes: 3 }),
    at,
  }),
  fc.record({
    type: fc.constant('userContentReceived' as const),
    turnId: fresh,
    attachment,
    at,
  }),
  fc.record({
    type: fc.constant('noticeAdded' as const),
    turnId: fresh,
    partId: fresh,
    level: fc.constantFrom('info' as const, 'error' as const),
    text: words,
    key: maybe(id),
    body: maybe(words),
    actions: fc.constant([]),
    at,
  }) as fc.Arbitrary<SessionAction>,
  fc.record({ type: fc.constant('noticeContinued' as const), key: id, text: words }),
  fc.record({
    type: fc.constant('namedPlanChanged' as const),
    plan: fc.record({ planId: id, kind: fc.constant('text' as const), text: words }),
  }),
  fc.record({
    type: fc.constant('namedPlanChanged' as const),
    plan: fc.record({ planId: id, kind: fc.constant('steps' as const), entries: fc.constant([]) }),
  }),
  fc.record({ type: fc.constant('namedPlanRemoved' as const), planId: id }),
  fc.record({
    type: fc.constant('elicitationRequested' as const),
    elicitation: fc.oneof(form, page),
  }) as fc.Arbitrary<SessionAction>,
  fc.record({
    type: fc.constant('elicitationRefused' as const),
    requestId: id,
    problems: fc.constant({ x: 'Wrong' }),
  }),
  fc.record({ type: fc.constant('elicitationOpened' as const), requestId: id }),
  fc.record({ type: fc.constant('elicitationEnded' as const), requestId: id, at }),
  fc.record({
    type: fc.constant('planChanged' as const),
    entries: fc.array(
      fc.record({
        content: words,
        priority: fc.constant('low' as const),
        status: fc.constantFrom('pending' as const, 'completed' as const),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant('permissionRequested' as const),
    request: fc.record({
      id,
      toolCallId: id,
      title: words,
      options: fc.constant([]),
      requestedAt: at,
    }),
  }),
  fc.record({
    type: fc.constant('diffsPlaced' as const),
    toolCallId: id,
    lines: fc.dictionary(id, fc.integer({ min: 1, max: 9 }), { maxKeys: 2 }),
  }),
  fc.record({
    type: fc.constant('permissionReviewed' as const),
    requestId: id,
    facts: fc.constantFrom({}, { warnings: [{ path: '/etc/hosts', outside: true }] }),
  }),
  fc.record({
    type: fc.constant('permissionOpened' as const),
    requestId: id,
    refs: fc.array(id, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('permissionAnswered' as const),
    requestId: id,
    outcome: fc.constantFrom('allowed' as const, 'rejected' as const, 'cancelled' as const),
    at,
  }),
  fc.record({
    type: fc.constant('terminalStarted' as const),
    terminalId: id,
    command: words,
    owned: fc.boolean(),
    at,
  }),
  fc.record({
    type: fc.constant('terminalExited' as const),
    terminalId: id,
    exit: fc.record({ exitCode: fc.constantFrom(0, 1, null), signal: fc.constant(null) }),
    at,
  }),
  fc.record({
    type: fc.constant('configChanged' as const),
    options: fc.constantFrom(
      [],
      [
        {
          type: 'select' as const,
          id: 'a',
          name: 'A',
          source: 'configOption' as const,
          value: 'x',
          groups: [],
        },
        { type: 'boolean' as const, id: 'b', name: 'B', source: 'mode' as const, value: true },
      ],
    ),
  }),
  fc.record({
    type: fc.constant('configValueChanged' as const),
    optionId: id,
    value: fc.oneof(words, fc.boolean()),
  }),
  fc.record({
    type: fc.constant('commandsChanged' as const),
    commands: fc.array(fc.record({ name: words, description: words }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('usageChanged' as const),
    usage: fc.record({ used: fc.nat(), size: fc.nat() }),
  }),
  fc.record({ type: fc.constant('draftTyped' as const), text: words, viewId: id }),
  fc.record({
    type: fc.constant('draftReplaced' as const),
    text: words,
    attachments: fc.array(attachment, { maxLength: 1 }),
  }),
  fc.record({ type: fc.constant('attachmentAdded' as const), attachment }),
  fc.record({ type: fc.constant('attachmentRemoved' as const), attachmentId: id }),
  fc.record({ type: fc.constant('messageQueued' as const), message }),
  fc.record({ type: fc.constant('messageUnqueued' as const), messageId: id }),
  fc.record(
    { type: fc.constant('messageMoved' as const), messageId: id, before: id },
    { requiredKeys: ['type', 'messageId'] },
  ),
];

export const anyAction: fc.Arbitrary<SessionAction> = fc
  .oneof(
    { weight: 6, arbitrary: chunk as fc.Arbitrary<SessionAction> },
    { weight: 6, arbitrary: toolCall as fc.Arbitrary<SessionAction> },
    { weight: 3, arbitrary: terminalOutput },
    { weight: kinds.length, arbitrary: fc.oneof(...kinds) },
  )
  .map(compact);
