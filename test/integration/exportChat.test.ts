import assert from 'node:assert/strict';
import { initialSession } from '../../src/session/state/initialSession';
import type { Part, SessionState } from '../../src/session/state/state';
import { chatMarkdown } from '../../src/vscode/chats/chatMarkdown';

const AT = { startedAt: 0 };
const TOOL = { kind: 'tool', id: 'k', toolCallId: 'k', locations: [], ...AT } as const;

const PARTS: readonly Part[] = [
  { kind: 'thought', id: '1', text: 'Two things\nto do', ...AT },
  { kind: 'text', id: '2', text: 'I look **first**.\n' },
  {
    ...TOOL,
    title: 'Edit a.md',
    toolKind: 'edit',
    status: 'completed',
    content: [
      {
        kind: 'diff',
        diff: {
          ref: 'r',
          path: 'a.md',
          change: 'modified',
          added: 1,
          removed: 1,
          truncated: false,
          hunks: [
            {
              line: 1,
              lines: [
                { sign: '-', text: '```ts' },
                { sign: '+', text: '````ts' },
              ],
            },
          ],
        },
      },
    ],
  },
  {
    kind: 'user',
    id: '3',
    message: { id: 'm', text: 'Also the title', attachments: [] },
  },
  { kind: 'notice', id: '4', level: 'warning', text: 'Stopped', detail: 'Why', actions: [] },
];

describe('a chat as Markdown', () => {
  it('says what was asked, answered and done, in an order and form that reads elsewhere', () => {
    const start = initialSession({ chatId: 'c', agentName: 'Agent', cwd: '/w', at: 0 });
    const state: SessionState = {
      ...start,
      title: 'Fences',
      turns: [
        {
          id: 't',
          prompt: { id: 'p', text: 'Longer fences', attachments: [] },
          parts: PARTS,
          ...AT,
        },
      ],
    };
    assert.equal(
      chatMarkdown(state, text => text),
      [
        '# Fences',
        'Agent, 1970-01-01 00:00 UTC',
        '## You',
        'Longer fences',
        '## Agent',
        '> Two things\n> to do',
        'I look **first**.',
        '**Edit a.md** (edit, completed)',
        '`a.md` +1 −1',
        '`````diff\n-```ts\n+````ts\n`````',
        '> **You**\n> \n> Also the title',
        '> Stopped\n> Why\n',
      ].join('\n\n'),
    );
  });
});
