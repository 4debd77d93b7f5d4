/** The pieces of the conversation that the fixture states tell, as actions. */
import type { SessionAction } from '../../src/session/state/actions';
import type { ConfigOption } from '../../src/session/state/config';
import type { DiffView } from '../../src/session/state/content';
import type { AgentCapabilities, AvailableCommand, PlanEntry } from '../../src/session/state/state';
import type { Usage } from '../../src/session/state/usage';

/** A Friday noon, so that "today" and "earlier" are on either side of it. */
export const T0 = Date.UTC(2026, 10, 27, 12, 0, 0);
export const AGENT = 'Claude Code';
export const COMMAND = '/usr/local/bin/claude-agent-acp';
export const TURN = 'turn-1';
export const PROMPT =
  'Retries ignore `Retry-After` when it is a date. Find out why and fix it, with a test.';

export const CAPABILITIES: AgentCapabilities = {
  image: true,
  audio: false,
  embeddedContext: true,
  loadSession: true,
  resumeSession: false,
};

export const COMMANDS: readonly AvailableCommand[] = [
  {
    name: 'review',
    description: 'Review a pull request or the working tree',
    hint: 'pull request number',
  },
  { name: 'resume', description: 'Go on with an earlier conversation' },
  { name: 'release-notes', description: 'What changed in Claude Code' },
  { name: 'security-review', description: 'Look for vulnerabilities in pending changes' },
  { name: 'init', description: 'Write a guide to this project for agents' },
  { name: 'compact', description: 'Shorten the conversation', hint: 'what to keep' },
];

export const CONFIG: readonly ConfigOption[] = [
  {
    type: 'select',
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    source: 'configOption',
    value: 'default',
    groups: [
      {
        choices: [
          { value: 'default', name: 'Default', description: 'Asks before it edits or runs' },
          { value: 'acceptEdits', name: 'Accept Edits', description: 'Edits without asking' },
          { value: 'plan', name: 'Plan', description: 'Only reads and plans' },
        ],
      },
    ],
  },
  {
    type: 'select',
    id: 'model',
    name: 'Model',
    category: 'model',
    source: 'configOption',
    value: 'sonnet',
    groups: [
      {
        name: 'Current',
        choices: [
          { value: 'opus', name: 'Opus 4.1', description: 'Most able' },
          { value: 'sonnet', name: 'Sonnet 4.5' },
        ],
      },
      { name: 'Earlier', choices: [{ value: 'haiku', name: 'Haiku 3.5' }] },
    ],
  },
  {
    type: 'select',
    id: 'thought',
    name: 'Thought Level',
    category: 'thought_level',
    source: 'configOption',
    value: 'high',
    groups: [
      {
        choices: [
          { value: 'low', name: 'Low' },
          { value: 'medium', name: 'Medium' },
          { value: 'high', name: 'High' },
        ],
      },
    ],
  },
];

/** Models of several makers, more than one would read through. */
export const MANY_MODELS: readonly ConfigOption[] = CONFIG.map(option =>
  option.id === 'model' && option.type === 'select'
    ? {
        ...option,
        groups: [
          ...option.groups,
          {
            name: 'Elsewhere',
            choices: [
              'GPT-5',
              'GPT-5 mini',
              'Gemini 2.5 Pro',
              'Gemini 2.5 Flash',
              'Qwen3 Coder 480B A35B Instruct',
              'DeepSeek V3.1',
              'Kimi K2',
            ].map(name => ({
              value: `elsewhere/${name}`,
              name,
              description: 'Billed by its own provider',
            })),
          },
        ],
      }
    : option,
);

/** More options than any row has room for. */
export const MANY_OPTIONS: readonly ConfigOption[] = [
  ...CONFIG,
  ...['Sandbox', 'Profile', 'Persona', 'Output Style', 'Network', 'Approval', 'Planning'].map(
    (name): ConfigOption => ({
      type: 'select',
      id: name.toLowerCase(),
      name,
      source: 'configOption',
      value: 'usual',
      groups: [
        {
          choices: [
            { value: 'usual', name: `${name}: as usual`, description: 'What the agent suggests' },
            { value: 'other', name: 'Other' },
          ],
        },
      ],
    }),
  ),
  { type: 'boolean', id: 'web', name: 'Web Search', source: 'configOption', value: true },
];

export const USAGE: Usage = {
  used: 76_000,
  size: 200_000,
  cost: { amount: 0.42, currency: 'USD' },
};

export const PLAN: readonly PlanEntry[] = [
  { content: 'Find where Retry-After is read', priority: 'high', status: 'completed' },
  { content: 'Write a failing test for the date form', priority: 'high', status: 'completed' },
  { content: 'Read both forms in parseDelay', priority: 'high', status: 'completed' },
  { content: 'Run the retry tests', priority: 'medium', status: 'in_progress' },
  {
    content: 'Apply the 5 minute cap to both forms, and say so in the doc comment',
    priority: 'medium',
    status: 'pending',
  },
  { content: 'Use it in the webhook client', priority: 'low', status: 'pending' },
  { content: 'Run the whole test suite', priority: 'low', status: 'pending' },
];

export const DIFF: DiffView = {
  ref: 'diff-1',
  path: '/work/parcel-api/src/http/retry.ts',
  change: 'modified',
  added: 5,
  removed: 2,
  truncated: false,
  hunks: [
    {
      line: 24,
      lines: [
        { sign: ' ', text: 'function parseDelay(value: string) {' },
        { sign: '-', text: '  const s = Number(value);' },
        { sign: '-', text: '  return s * 1000;' },
        { sign: '+', text: '  const s = Number(value);' },
        { sign: '+', text: '  if (!Number.isNaN(s)) return s * 1000;' },
        { sign: '+', text: '  const at = Date.parse(value);' },
        { sign: '+', text: '  if (Number.isNaN(at)) return undefined;' },
        { sign: '+', text: '  return Math.max(0, at - now());' },
        { sign: ' ', text: '}' },
      ],
    },
  ],
};

export const EXPLANATION =
  '`Retry-After` is either seconds **or** a date. `parseDelay` ([retry.ts:24](src/http/retry.ts:24)) ' +
  'reads only seconds, so a date becomes `NaN` and the retry fires at once.';

export const TABLE = `What each form should do:

| Header | Wait | Today |
| --- | --- | --- |
| \`120\` | 120 s | 120 s |
| \`Fri, 27 Nov…\` | until then | 0 s |
| none | back off | back off |

- A date in the past means **no wait**, not a negative one.
- The cap of 5 minutes applies to both forms.

\`\`\`typescript
const at = Date.parse(value);
if (Number.isNaN(at)) return undefined;
return Math.max(0, at - Date.now()); // past: 0
\`\`\`
`;

export const ANSWER =
  'Both forms now work. A date in the past means no wait, and the 5 minute cap applies to both. ' +
  'I added four tests; all 31 pass.';

/** A process that answers, and a session in it. */
export function connected(): SessionAction[] {
  return [
    {
      type: 'agentIdentified',
      title: AGENT,
      version: '2.1.0',
      capabilities: CAPABILITIES,
    },
    { type: 'sessionStarted', sessionId: 'session-1' },
    { type: 'configChanged', options: CONFIG },
    { type: 'commandsChanged', commands: COMMANDS },
    { type: 'connectionChanged', connection: { kind: 'ready' } },
  ];
}

/** The same agent on a server. */
export function elsewhere(place: string): SessionAction {
  return {
    type: 'agentIdentified',
    title: AGENT,
    version: '2.1.0',
    place,
    capabilities: CAPABILITIES,
  };
}

export function asked(text: string = PROMPT, turnId: string = TURN, at = T0): SessionAction[] {
  return [
    {
      type: 'turnStarted',
      turnId,
      prompt: {
        id: `prompt-${turnId}`,
        text,
        attachments:
          turnId === TURN
            ? [
                {
                  id: 'at-1',
                  kind: 'selection',
                  label: 'retry.ts:18-42',
                  title: 'src/http/retry.ts, lines 18 to 42',
                  lines: { start: 18, end: 42 },
                },
              ]
            : [],
      },
      at,
    },
    { type: 'titleChanged', title: 'Retry-After given as a date' },
    { type: 'usageChanged', usage: USAGE },
  ];
}

export function said(text: string, partId: string, turnId = TURN, at = T0 + 4000): SessionAction[] {
  return [{ type: 'chunkReceived', stream: 'text', turnId, partId, text, at }];
}

/** What the agent thinks for the first four seconds. */
export function thought(turnId = TURN): SessionAction[] {
  return [
    {
      type: 'chunkReceived',
      stream: 'thought',
      turnId,
      partId: 'thought-1',
      text: 'The header has two forms, and only one of them is a number.',
      at: T0,
    },
  ];
}

/** Four reads and a search, finished. */
export function looked(turnId = TURN, at = T0 + 4000): SessionAction[] {
  const files = ['retry.ts', 'retry.test.ts', 'client.ts', 'delay.ts'];
  return [
    ...files.map((file, index): SessionAction => ({
      type: 'toolCallChanged',
      turnId,
      partId: `read-${index}`,
      toolCallId: `read-${index}`,
      announced: true,
      title: `Read ${file}`,
      toolKind: 'read',
      status: 'completed',
      locations: [{ path: `/work/parcel-api/src/http/${file}`, line: 1 }],
      at,
    })),
    {
      type: 'toolCallChanged',
      turnId,
      partId: 'search-1',
      toolCallId: 'search-1',
      announced: true,
      title: 'Search Retry-After',
      toolKind: 'search',
      status: 'completed',
      at,
    },
  ];
}

export function edited(turnId = TURN, at = T0 + 20_000): SessionAction[] {
  return [
    {
      type: 'toolCallChanged',
      turnId,
      partId: 'edit-1',
      toolCallId: 'edit-1',
      announced: true,
      title: 'Edit retry.ts',
      toolKind: 'edit',
      status: 'completed',
      content: [{ kind: 'diff', diff: DIFF }],
      locations: [{ path: DIFF.path, line: 24 }],
      at,
    },
  ];
}

export function testsRunning(at = T0 + 35_000): SessionAction[] {
  return [
    {
      type: 'toolCallChanged',
      turnId: TURN,
      partId: 'run-1',
      toolCallId: 'run-1',
      announced: true,
      title: 'npm test -- retry',
      toolKind: 'execute',
      status: 'running',
      content: [{ kind: 'terminal', terminalId: 'terminal-1' }],
      at,
    },
    {
      type: 'terminalStarted',
      terminalId: 'terminal-1',
      command: 'npm test -- retry',
      cwd: '/work/parcel-api',
      owned: true,
      at,
    },
    {
      type: 'terminalOutput',
      terminalId: 'terminal-1',
      data:
        '\u001b[2m> vitest run retry\u001b[0m\r\n\r\n' +
        ' \u001b[32m✓\u001b[0m waits the seconds it is told \u001b[2m3 ms\u001b[0m\r\n' +
        ' \u001b[32m✓\u001b[0m waits until the date it is told \u001b[2m2 ms\u001b[0m\r\n' +
        ' \u001b[2m●\u001b[0m a date in the past means no wait ',
      at: at + 7000,
    },
  ];
}

export function wantsCommand(at = T0 + 42_000): SessionAction[] {
  return [
    {
      type: 'toolCallChanged',
      turnId: TURN,
      partId: 'run-2',
      toolCallId: 'run-2',
      announced: true,
      title: 'npm test -- retry --coverage && rm -rf coverage/old',
      toolKind: 'execute',
      status: 'pending',
      rawInput: {
        text: '{"command":"npm test -- retry --coverage && rm -rf coverage/old"}',
        truncated: false,
      },
      at,
    },
    {
      type: 'permissionRequested',
      request: {
        id: 'request-1',
        toolCallId: 'run-2',
        title: 'npm test -- retry --coverage && rm -rf coverage/old',
        facts: {
          command: {
            line: 'npm test -- retry --coverage && rm -rf coverage/old',
            folder: '/work/parcel-api',
          },
          risks: [{ start: 32, end: 51, name: 'rm -rf', kind: 'deletes' }],
        },
        options: [
          { optionId: 'once', name: 'Allow', kind: 'allow_once' },
          { optionId: 'always', name: 'Always allow npm test', kind: 'allow_always' },
          { optionId: 'session', name: 'Allow in session', kind: 'allow_always' },
          { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        ],
        requestedAt: at,
      },
    },
  ];
}

export function wantsEdit(at = T0 + 42_000): SessionAction[] {
  return [
    {
      type: 'toolCallChanged',
      turnId: TURN,
      partId: 'edit-2',
      toolCallId: 'edit-2',
      announced: true,
      title: 'Edit src/http/retry.ts',
      toolKind: 'edit',
      status: 'pending',
      content: [{ kind: 'diff', diff: DIFF }],
      locations: [{ path: DIFF.path, line: 24 }],
      at,
    },
    {
      type: 'permissionRequested',
      request: {
        id: 'request-2',
        toolCallId: 'edit-2',
        title: 'Edit src/http/retry.ts',
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          {
            optionId: 'file',
            name: "Yes, and don't ask again for this file",
            kind: 'allow_always',
          },
          {
            optionId: 'no',
            name: 'No, and tell Claude what to do differently',
            kind: 'reject_once',
          },
        ],
        requestedAt: at,
      },
    },
  ];
}

export function ended(
  reason: 'end_turn' | 'cancelled' | 'interrupted' = 'end_turn',
  at = T0 + 72_000,
): SessionAction[] {
  return [{ type: 'turnEnded', end: { reason }, planPartId: 'plan-part', at }];
}

export function queued(...texts: readonly string[]): SessionAction[] {
  return texts.map((text, index) => ({
    type: 'messageQueued',
    message: { id: `queued-${index}`, text, attachments: [] },
  }));
}
