/**
 * Every state of the panel that must look right, each made by reducing actions. The tests go through all of
 * them, and the gallery shows them.
 */
import type { SessionAction } from '../../src/session/state/actions';
import { reduce } from '../../src/session/state/reducer';
import { initialSession } from '../../src/session/state/initialSession';
import type { Attachment, AuthMethod, SessionState } from '../../src/session/state/state';
import { compacted, namedPlans, toldContent } from './contentStory';
import { CHANGES, UNCLAIMED, FIELDS, asksForm, asksPage } from './questionStory';
import type { AnswerOf, MentionGroup } from '../../src/shared/queries';
import type { AgentChoice, ChatSummary, PanelState } from '../../src/shared/panelState';
import {
  AGENT,
  CAPABILITIES,
  ANSWER,
  COMMAND,
  MANY_MODELS,
  MANY_OPTIONS,
  EXPLANATION,
  PLAN,
  T0,
  TABLE,
  TURN,
  USAGE,
  asked,
  connected,
  elsewhere,
  edited,
  ended,
  looked,
  queued,
  said,
  testsRunning,
  thought,
  wantsCommand,
  wantsEdit,
} from './story';
import { codeAnswer, conversation, diagramAnswer, textAnswer, wordsEdited } from './readingStory';
import type { Panel } from './harness';
import { disguised, reviewed, swapped, tooLong } from './permissionStory';
import { nestedSubagent, subagentAsks, subagents } from './subagentStory';

export interface FixtureState {
  readonly name: string;
  readonly panel: PanelState;
  /** Absent when the view shows no chat. */
  readonly session?: SessionState;
  /** The host's clock when the state is shown. */
  readonly now: number;
  /** What the host tells after the state, such as to show the list of chats. */
  readonly then?: 'showChats';
  /** What the user does once it is shown. */
  readonly after?: (panel: Panel) => Promise<void>;
  /** The button to press once it is shown, by its name. */
  readonly press?: RegExp;
  /** The block that is pointed at once it is shown, by its name. */
  readonly hover?: RegExp;
  /** What is searched for once it is shown. */
  readonly find?: string;
  /** What is typed at the caret once it is shown, and what the host answers that it may mention. */
  readonly typed?: { readonly text: string; readonly groups: readonly MentionGroup[] };
}

const AGENTS: readonly AgentChoice[] = [
  { name: AGENT, detail: COMMAND, builtIn: false, found: true },
  {
    name: 'Gemini CLI',
    detail: '0.61.0 · signed in · ~/.nvm/versions/node/v22.11.0/bin/gemini --acp',
    builtIn: false,
    found: true,
  },
  { name: 'Codex', detail: 'codex-acp', builtIn: false, found: false },
  { name: 'Parley Demo', detail: 'Built in. Needs no key and no network.', builtIn: true },
  { name: 'Goose', detail: 'goose acp', builtIn: false, offer: 'From Zed' },
  ...['OpenCode', 'Qwen Code', 'Cline', 'Kilo'].map(name => ({
    name,
    detail: `npx -y ${name.toLowerCase().replace(' ', '-')} --acp`,
    builtIn: false,
    offer: 'Needs install',
  })),
];

const HOUR = 3_600_000;
const CHATS: readonly ChatSummary[] = [
  {
    chatId: 'chat-2',
    title: 'Move invoices to the new schema',
    agentName: 'Codex',
    state: 'waiting',
    updatedAt: T0 - 60_000,
  },
  {
    chatId: 'chat-1',
    title: 'Retry-After given as a date',
    agentName: AGENT,
    state: 'working',
    updatedAt: T0,
  },
  {
    chatId: 'chat-3',
    title: 'Rename ParcelState to ShipmentState everywhere',
    agentName: 'Gemini CLI',
    state: 'working',
    updatedAt: T0 - 400_000,
  },
  {
    chatId: 'chat-4',
    title: 'Why is the cold start slow?',
    agentName: AGENT,
    state: 'stopped',
    updatedAt: T0 - 2 * HOUR,
  },
  {
    chatId: 'chat-5',
    firstPrompt: 'Flaky test in orders.spec.ts',
    agentName: 'Codex',
    state: 'failed',
    updatedAt: T0 - 5 * HOUR,
  },
  {
    chatId: 'chat-6',
    title: 'Translate the error messages',
    agentName: 'Gemini CLI',
    state: 'stopped',
    updatedAt: T0 - 72 * HOUR,
  },
  {
    chatId: 'chat-7',
    title: 'Tour of Parley',
    agentName: 'Parley Demo',
    state: 'stopped',
    updatedAt: T0 - 140 * HOUR,
  },
];

/** The same, as the user has put them. */
const LISTED = CHATS.map((each, index) => ({
  ...each,
  ...(index === 4 && { listed: 'pinned' as const }),
  ...(index >= 5 && { listed: 'archived' as const }),
}));
const FOUND: AnswerOf<'searchChats'>['found'] = [
  { chatId: 'chat-1' },
  {
    chatId: 'chat-5',
    preview:
      '…the test waits for a Retry date that is an hour ahead in one time zone, and never in…',
  },
  { chatId: 'chat-6', preview: 'The message says “retry later”: it has no date' },
];

/** What two agents keep: one that was asked, and one that was not. */
const SESSIONS: NonNullable<PanelState['sessions']> = [
  {
    agentName: AGENT,
    state: 'read',
    sessions: [
      { sessionId: 's-1', title: 'Measure the import of tariffs', updatedAt: T0 - 3 * HOUR },
      { sessionId: 's-2' },
    ],
    hasMore: true,
    canDelete: true,
    canCopy: true,
  },
  {
    agentName: 'Codex',
    state: 'unread',
    sessions: [],
    hasMore: false,
    canDelete: false,
    canCopy: false,
  },
];

const FIRST_RUN: PanelState = {
  host: 'sidebar',
  chats: [],
  agents: AGENTS,
  defaultAgent: 'Parley Demo',
  workspaceName: 'parcel-api',
};

/** What stands around a chat in every state but the first run. */
export const PANEL: PanelState = {
  ...FIRST_RUN,
  chatId: 'chat-1',
  chats: CHATS,
};

/** A chat that was just made. */
export const EMPTY: SessionState = initialSession({
  chatId: 'chat-1',
  agentName: AGENT,
  cwd: '/work/parcel-api',
  at: T0,
});

/** `EMPTY` after `actions`. */
export function told(...actions: readonly SessionAction[]): SessionState {
  return actions.reduce(reduce, EMPTY);
}

const selection: Attachment = {
  id: 'a-1',
  kind: 'selection',
  label: 'retry.ts:18-42',
  title: 'src/http/retry.ts, lines 18 to 42',
  lines: { start: 18, end: 42 },
};

/** A window with an error in it. */
const THUMBNAIL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAS0lEQVR42mNQ86+gKWIYtWDUAsot+Pr1A00RfS24ExVANhohFgz9SJ5GAaC5BbgsG40DgtFA30ge8XGANaDoG8lDPw5GLRi1gCwEAMSG3WluQyJFAAAAAElFTkSuQmCC';

const typed = (text: string): SessionAction => ({
  type: 'draftReplaced',
  text,
  attachments: [],
});

/** What `@ret` may stand for. */
export const MENTIONS: readonly MentionGroup[] = [
  {
    name: 'Files',
    items: [
      mention('file-code', 'retry.ts', 'src/http', [0, 1, 2]),
      mention('file-code', 'retry.test.ts', 'test/http', [0, 1, 2]),
      mention('markdown', 'retry-and-backoff-policy.md', 'docs/carriers', [0, 1, 2]),
      mention('folder', 'returns', 'src/orders', [0, 1, 2]),
    ],
  },
  {
    name: 'More',
    items: [
      mention('terminal', 'Terminal', 'last command in bash', [1, 2, 0], '@terminal'),
      mention('diff', 'Changes', 'uncommitted', [], '@changes'),
    ],
  },
];

function mention(
  icon: string,
  name: string,
  detail: string,
  hits: readonly number[],
  word = `@${detail}/${name}`,
): MentionGroup['items'][number] {
  return { id: `${icon}/${name}`, icon, name, hits, detail, mention: word };
}

const retryFile: Attachment = {
  id: 'a-9',
  kind: 'file',
  label: 'retry.ts',
  title: 'src/http/retry.ts',
  mention: '@src/http/retry.ts',
};

/** A turn whose prompt mentions a file. */
const mentionedFile: readonly SessionAction[] = [
  {
    type: 'turnStarted',
    turnId: 'turn-mention',
    prompt: {
      id: 'prompt-mention',
      text: 'Explain the cap in @src/http/retry.ts, and why it is there.',
      attachments: [retryFile],
    },
    at: T0 + 80_000,
  },
  ...said('It bounds how long a request waits.', 'text-mention', 'turn-mention', T0 + 81_000),
  ...ended('end_turn', T0 + 82_000),
];

const planned: SessionAction = { type: 'planChanged', entries: PLAN };

const problem = {
  kind: 'crashed',
  title: 'Claude Code stopped working',
  detail:
    'The process ended with exit code 134 after 42 s: it ran out of memory. Your draft and edits are kept.',
  output: [
    '[41207] 38112 ms: Mark-Compact 2041 MB',
    'FATAL ERROR: Reached heap limit',
    'Allocation failed - JavaScript heap out of memory',
  ],
  actions: ['restart', 'showLog', 'newChat'],
} as const;

const streaming = [
  ...connected(),
  ...asked(),
  ...thought(),
  ...said(EXPLANATION, 'text-1'),
  ...looked(),
  ...said(TABLE, 'text-2'),
  ...edited(),
  ...said('Now the tests for both forms.', 'text-3'),
  ...testsRunning(),
  planned,
];

const finished = [
  ...connected(),
  ...asked(),
  ...said(EXPLANATION, 'text-1'),
  ...looked(),
  ...edited(),
  ...said(ANSWER, 'text-2'),
  ...ended(),
];

/** A message that is written, with an image. */
const withDraft: readonly SessionAction[] = [
  ...finished,
  {
    type: 'draftReplaced',
    text: 'Follow the policy in the document, and make the error message look like the one in the picture. Keep the public names.',
    attachments: [
      selection,
      {
        id: 'a-2',
        kind: 'file',
        label: 'retry-and-backoff-policy.md',
        title: 'docs/carriers/retry-and-backoff-policy.md',
      },
      {
        id: 'a-3',
        kind: 'image',
        label: 'Pasted image',
        title: 'Pasted image, 1280 × 720, 184 KB',
        mimeType: 'image/png',
        picture: { width: 1280, height: 720, thumbnail: THUMBNAIL },
      },
    ],
  },
];

function longStory(): SessionAction[] {
  const prompts = [
    'Set up the carrier client',
    'Cache the zone table',
    'Why does CI fail on Windows?',
    'Write the release notes',
    'Split orders.ts',
    'Add a rate limit to the label endpoint',
    'Make the limit a setting',
  ];
  return [
    ...connected(),
    ...prompts.flatMap((prompt, index) => {
      const turnId = `old-${index}`;
      const at = T0 - (prompts.length - index) * HOUR;
      return [
        ...asked(prompt, turnId, at),
        ...looked(turnId, at + 5000),
        ...edited(turnId, at + 9000),
        ...said(
          'Labels are now limited to 20 per minute per key. The limit lives in ' +
            '[limits.ts:12](src/limits.ts:12) and answers `429` with `Retry-After`.',
          `old-text-${index}`,
          turnId,
          at + 12_000,
        ),
        ...ended('end_turn', at + 134_000),
      ];
    }),
    ...asked('Also use it for the webhook client', 'turn-9'),
    ...looked('turn-9'),
    ...said(
      'The webhook client has its own loop in [webhooks.ts:51](src/webhooks.ts:51). Three things differ:\n\n' +
        '1. The webhook loop gives up after 3 tries, `withRetry` after 5.\n' +
        '2. It logs each try at `warn`.\n' +
        '3. It never waits longer than 30 seconds, so I will pass that as the cap.\n',
      'text-9',
      'turn-9',
      T0 + 8000,
    ),
    ...edited('turn-9'),
    ...said('The log level is an option now. Next I will', 'text-10', 'turn-9', T0 + 42_000),
    { type: 'usageChanged', usage: { used: 172_000, size: 200_000 } },
  ];
}

const startedAt = T0 - 3400;
const chat = (
  name: string,
  actions: readonly SessionAction[],
  more: Partial<FixtureState> = {},
): FixtureState => ({ name, panel: PANEL, session: told(...actions), now: T0 + 42_000, ...more });

const fresh: PanelState = {
  ...PANEL,
  chats: [
    { chatId: 'chat-1', agentName: AGENT, state: 'ready', updatedAt: T0 },
    ...CHATS.filter(({ chatId }) => chatId !== 'chat-1'),
  ],
};

const SIGN_INS: readonly AuthMethod[] = [
  {
    id: 'oauth',
    name: 'Log in with Claude',
    description: 'Opens your browser',
    type: 'agent',
  },
  {
    id: 'console',
    name: 'Anthropic Console account',
    description: 'Opens a terminal here',
    type: 'terminal',
  },
  {
    id: 'key',
    name: 'Use an API key',
    description: 'ANTHROPIC_API_KEY, kept in the secret storage of VS Code',
    type: 'env_var',
  },
];

export const STATES: readonly FixtureState[] = [
  { name: 'first-run', panel: FIRST_RUN, now: T0 },
  {
    name: 'add-agent',
    panel: { ...FIRST_RUN, agents: AGENTS.slice(0, 2) },
    now: T0,
    async after(panel) {
      const { page } = panel;
      await page.getByRole('radio', { name: panel.named(/^Another agent/) }).check();
      const variable = panel.named(/^Environment variable/);
      await page.getByRole('textbox', { name: variable }).fill('GOOSE_API_KEY');
      await page.getByRole('button', { name: panel.named('Start chat') }).click();
    },
  },
  chat(
    'connecting',
    [
      typed('Why does the label job time out?'),
      {
        type: 'connectionChanged',
        connection: {
          kind: 'starting',
          step: 'initialize',
          command: COMMAND,
          startedAt,
          stepStartedAt: startedAt + 400,
          timeoutSeconds: 30,
        },
      },
    ],
    { now: T0, panel: fresh },
  ),
  chat(
    'sign-in',
    [
      typed('Why does the label job time out?'),
      {
        type: 'connectionChanged',
        connection: {
          kind: 'signIn',
          methods: SIGN_INS,
        },
      },
    ],
    { now: T0, panel: fresh },
  ),
  chat(
    'signing-in',
    [
      ...finished,
      {
        type: 'connectionChanged',
        connection: {
          kind: 'signIn',
          methods: SIGN_INS,
          hint: 'Your session has expired. A subscription or a Console account is needed.',
          busy: true,
        },
      },
    ],
    { now: T0 + 90_000 },
  ),
  chat(
    'budget',
    [
      ...connected(),
      ...asked(),
      ...thought(),
      {
        type: 'noticeAdded',
        turnId: TURN,
        partId: 'notice-budget',
        level: 'warning',
        text: 'The budget of this chat is used up: 100,000 of 100,000 tokens. Continue?',
        detail: 'If you continue, the same amount is allowed again. The setting is parley.budget.',
        actions: ['goOn', 'stop'],
        at: T0 + 30_000,
      },
    ],
    {
      now: T0 + 42_000,
      panel: {
        ...PANEL,
        chats: CHATS.map(one => ({
          ...one,
          budget: {
            percent: 0,
            text: '0% left',
            title: 'Budget of this chat: 100,000 of 100,000 tokens used',
          },
        })),
      },
    },
  ),
  chat('ready', connected(), {
    now: T0,
    panel: { ...fresh, activeEditor: { label: 'retry.ts', hasSelection: false } },
  }),
  chat('streaming', streaming),
  chat('remote', [...connected(), elsewhere('agents.eu-west.example.com:8443')], {
    now: T0,
    panel: fresh,
  }),
  chat('remote-streaming', [...streaming, elsewhere('agents.example.com')]),
  chat('permission', [
    ...connected(),
    ...asked(),
    ...thought(),
    ...said(EXPLANATION, 'text-1'),
    ...looked(),
    planned,
    ...wantsCommand(),
  ]),
  chat('permission-diff', [
    ...connected(),
    ...asked(),
    ...thought(),
    ...said(EXPLANATION, 'text-1'),
    ...looked(),
    ...wantsEdit(),
  ]),
  ...(
    [
      ['permission-changed', swapped()],
      ['permission-reviewed', reviewed()],
      ['permission-disguised', disguised()],
      ['permission-long', tooLong()],
    ] as const
  ).map(([name, actions]) =>
    chat(name, [
      ...connected(),
      ...asked(),
      ...said(EXPLANATION, 'text-1'),
      ...looked(),
      ...actions,
    ]),
  ),
  chat('tool-running', [...connected(), ...asked(), ...looked(), ...testsRunning()]),
  chat(
    'steering',
    [
      ...connected(),
      {
        type: 'agentIdentified',
        title: AGENT,
        version: '2.1.0',
        capabilities: { ...CAPABILITIES, steer: true },
      },
      ...asked(),
      ...looked(),
      ...testsRunning().map(action =>
        action.type === 'terminalStarted' ? { ...action, cancels: true } : action,
      ),
      {
        type: 'backgroundChanged',
        items: [
          { kind: 'terminal', id: 'terminal-1' },
          { kind: 'other', id: 'unknown' },
        ],
      },
      {
        type: 'usageChanged',
        usage: {
          ...USAGE,
          limits: [
            {
              window: 'five_hour',
              name: '5 hours',
              used: 86,
              resetsAt: T0 + 5_400_000,
              state: 'warning',
            },
            {
              window: 'seven_day',
              name: '7 days',
              used: 41,
              resetsAt: T0 + 300_000_000,
              state: 'allowed',
            },
          ],
        },
      },
      typed('Leave the date form to the caller'),
    ],
    { press: /^2 at work/ },
  ),
  chat(
    'subagent',
    [
      ...connected(),
      ...asked(),
      ...said(EXPLANATION, 'text-1'),
      ...subagents(),
      ...nestedSubagent(),
      ...subagentAsks(),
    ],
    {
      after: async panel => {
        await panel.openSubagent('tests');
        // What comes up in the place of something else is not answered at once.
        await panel.page.getByRole('button', { name: 'Allow' }).click({ trial: true });
      },
    },
  ),
  chat('subagents', [...connected(), ...asked(), ...said(EXPLANATION, 'text-1'), ...subagents()]),
  chat('plan', [...connected(), ...asked(), ...said(EXPLANATION, 'text-1'), ...looked(), planned]),
  chat('queue', [
    ...connected(),
    ...asked(),
    ...said(EXPLANATION, 'text-1'),
    ...looked(),
    planned,
    ...queued('Then use it in the webhook client as well', 'Update the changelog, one line'),
    typed('and bump the version'),
  ]),
  chat('finished', finished, { now: T0 + 90_000 }),
  chat('form', [...connected(), ...asked(), ...said(EXPLANATION, 'text-1'), asksForm(FIELDS)], {
    press: /^Submit$/,
  }),
  chat('content', [
    ...connected(),
    ...asked(),
    ...toldContent(),
    compacted(),
    ...namedPlans(),
    ...said('All of it says the same.', 'text-2'),
  ]),
  chat('page', [...connected(), ...asked(), ...looked(), asksPage({ lookalike: true })]),
  chat('changes', finished, {
    now: T0 + 90_000,
    panel: { ...PANEL, changes: CHANGES },
    press: /^5 files/,
  }),
  chat('changesUnclaimed', finished, {
    now: T0 + 90_000,
    panel: { ...PANEL, changes: UNCLAIMED },
    press: /^5 files/,
  }),
  chat(
    'cancelled',
    [
      ...connected(),
      ...asked(),
      ...said(EXPLANATION, 'text-1'),
      ...looked(),
      ...testsRunning(),
      { type: 'cancelRequested' },
      ...ended('cancelled', T0 + 42_000),
    ],
    { now: T0 + 50_000 },
  ),
  chat(
    'crashed',
    [
      ...connected(),
      ...asked(),
      ...thought(),
      ...said(EXPLANATION, 'text-1'),
      ...looked(),
      ...ended('interrupted', T0 + 42_000),
      typed('and keep the old name as an alias'),
      { type: 'connectionChanged', connection: { kind: 'failed', problem } },
    ],
    { now: T0 + 50_000 },
  ),
  chat(
    'failed-start',
    [
      {
        type: 'connectionChanged',
        connection: {
          kind: 'failed',
          problem: {
            kind: 'commandNotFound',
            title: 'claude-agent-acp was not found',
            detail:
              'Parley looked for it as your login shell does. Install it, or correct the command of Claude Code in the settings.',
            output: [],
            actions: ['retry', 'editAgents', 'showLog'],
          },
        },
      },
    ],
    { now: T0, panel: fresh },
  ),
  chat(
    'disconnected',
    [
      ...connected(),
      ...asked(),
      ...said(EXPLANATION, 'text-1'),
      ...looked(),
      ...ended('interrupted', T0 + 42_000),
      typed('Why does the label job time out?'),
      {
        type: 'connectionChanged',
        connection: {
          kind: 'failed',
          problem: {
            kind: 'disconnected',
            title: 'The connection to Claude Code was lost',
            detail: 'It ended without an error. Restart reopens this chat.',
            output: [],
            actions: ['restart', 'showLog'],
          },
        },
      },
    ],
    { now: T0 + 50_000 },
  ),
  chat('composer', withDraft, { now: T0 + 90_000 }),
  {
    ...chat('mention', [...finished, ...mentionedFile, typed('Compare with ')], {
      now: T0 + 90_000,
    }),
    typed: { text: '@ret', groups: MENTIONS },
  },
  chat('slash', [...finished, { type: 'draftReplaced', text: '', attachments: [selection] }], {
    now: T0 + 90_000,
    async after({ page, message }) {
      await message.fill('/re');
      await page.getByRole('option').first().waitFor();
    },
  }),
  chat('editing', [...finished, ...mentionedFile], {
    now: T0 + 90_000,
    after: panel => panel.editPrompt('turn-mention'),
  }),
  {
    ...chat('history', streaming),
    panel: { ...PANEL, sessions: SESSIONS },
    then: 'showChats',
  },
  {
    ...chat('unread', streaming),
    panel: {
      ...PANEL,
      chats: PANEL.chats.map((each, index) => ({
        ...each,
        ...(index === 3 && { unread: 'done' as const }),
        ...(index === 4 && { unread: 'failed' as const }),
      })),
    },
    then: 'showChats',
  },
  {
    ...chat('listed', streaming),
    panel: { ...PANEL, chats: LISTED },
    then: 'showChats',
    async after({ page }) {
      await page.locator('.archived summary').click();
      await page.locator('li', { hasText: 'Flaky test' }).getByRole('button').last().press('Enter');
      await page.locator('.menu.over').waitFor();
    },
  },
  {
    ...chat('found', streaming),
    panel: { ...PANEL, chats: LISTED },
    then: 'showChats',
    after: panel => panel.searchChats('retry date', FOUND),
  },
  chat(
    'queue-paused',
    [
      ...connected(),
      ...asked(),
      ...said(EXPLANATION, 'text-1'),
      ...queued('Then use it in the webhook client as well', 'Update the changelog, one line'),
      ...ended('cancelled'),
    ],
    {
      now: T0 + 90_000,
      panel: { ...PANEL, activeEditor: { label: 'retry.ts:18-42', hasSelection: true } },
    },
  ),
  chat('long', longStory()),
  chat('code', [...connected(), ...asked(), ...codeAnswer(), ...ended()], {
    now: T0 + 90_000,
    hover: /^Code, TypeScript$/,
  }),
  chat('diff', [...connected(), ...asked(), ...wordsEdited()], {
    after: async ({ page }) => {
      for (const place of ['.card', '.ask']) {
        for (const line of ['.a', '.d', ':not(.a, .d)']) {
          await page.locator(`${place} .diff .l${line} .c`).first().waitFor();
        }
      }
    },
  }),
  chat('text', [...connected(), ...asked(), ...textAnswer(), ...ended()], { now: T0 + 90_000 }),
  chat('diagrams', [...connected(), ...asked(), ...diagramAnswer(), ...ended()], {
    now: T0 + 90_000,
    after: async panel => {
      await panel.page
        .locator('.drawing > img')
        .evaluate(image => (image as HTMLImageElement).decode());
      await panel.page.locator('.block > .problem').waitFor();
    },
  }),
  chat('prompts', [...connected(), ...conversation()], {
    now: T0 + 90_000,
    // Not shown where the panel is narrow.
    after: ({ page }) => page.locator('.rail .tick').first().waitFor({ state: 'attached' }),
  }),
  chat('find', longStory(), { find: 'limit' }),
  chat('preview', withDraft, {
    now: T0 + 90_000,
    async after(panel) {
      await panel.page.getByRole('button', { name: 'Pasted image', exact: true }).click();
      const data = THUMBNAIL.slice(THUMBNAIL.indexOf(',') + 1);
      await panel.answerQuery('image', () => ({ data }));
      await panel.page.getByRole('dialog').getByRole('img').waitFor();
    },
  }),
  chat('models', [...finished, { type: 'configChanged', options: MANY_MODELS }], {
    now: T0 + 90_000,
    async after(panel) {
      const model = panel.page.getByRole('combobox', { name: 'Model', exact: true });
      // Where there is no room for it, it is in the menu.
      if (!(await model.isVisible())) {
        await panel.page.getByRole('button', { name: panel.named('More options') }).click();
      }
      await model.click();
    },
  }),
  chat('options', [...finished, { type: 'configChanged', options: MANY_OPTIONS }], {
    now: T0 + 90_000,
    press: /^More options$/,
  }),
  chat('expanded', [...finished, typed('First the date form,\n\nthen the cap.')], {
    now: T0 + 90_000,
    press: /^Expand Message Box$/,
  }),
];

/** The state of that name. @throws when there is none. */
export function stateNamed(name: string): FixtureState {
  const found = STATES.find(state => state.name === name);
  if (!found) throw new Error(`No fixture state is named ${name}.`);
  return found;
}
