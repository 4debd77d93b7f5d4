/** What leaves a chat as text has no secrets and no escape sequences in it, wherever they stood. */
import assert from 'node:assert/strict';
import { Masker } from '../../src/agents/masker';
import { initialSession } from '../../src/session/state/initialSession';
import type { Part, SessionState } from '../../src/session/state/state';
import { chatMarkdown } from '../../src/vscode/chats/chatMarkdown';
import { chatText } from '../../src/vscode/chats/chatText';
import { ContextAttachments } from '../../src/vscode/context/contextAttachments';
import { conversationText } from '../../src/vscode/context/conversationText';

const SECRET = 'sk-ant/api+03-ÄÖ=';
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString('base64'),
  // As a program prints it that colors a part of it.
  `${SECRET.slice(0, 5)}\u001b[31m${SECRET.slice(5)}\u001b[0m`,
];
const SAID = FORMS.join(' ');

const preview = { text: SAID, truncated: false } as const;
const PARTS: Readonly<Record<string, Part>> = {
  reply: { kind: 'text', id: 'p', text: SAID },
  thought: { kind: 'thought', id: 'p', text: SAID, startedAt: 0 },
  block: { kind: 'content', id: 'p', block: { kind: 'unknown', type: 'x', json: preview } },
  resource: { kind: 'content', id: 'p', block: { kind: 'resource', uri: SAID, text: preview } },
  link: {
    kind: 'content',
    id: 'p',
    block: { kind: 'link', name: SAID, uri: `https://x/${FORMS[1]}` },
  },
  plan: {
    kind: 'plan',
    id: 'p',
    entries: [{ content: SAID, priority: 'high', status: 'pending' }],
  },
  notice: { kind: 'notice', id: 'p', level: 'error', text: SAID, detail: SAID, actions: [] },
  user: { kind: 'user', id: 'p', message: { id: 'm', text: SAID, attachments: [] } },
  tool: {
    kind: 'tool',
    id: 'p',
    toolCallId: 't',
    title: SAID,
    toolKind: 'execute',
    status: 'completed',
    note: SAID,
    locations: [],
    content: [{ kind: 'block', block: { kind: 'text', text: preview } }],
  } as unknown as Part,
  terminal: {
    kind: 'tool',
    id: 'p',
    toolCallId: 't',
    title: 'Run',
    toolKind: 'execute',
    status: 'completed',
    locations: [],
    content: [{ kind: 'terminal', terminalId: 'one' }],
  } as unknown as Part,
};

const masker = new Masker();
masker.add([SECRET]);

const WAYS: Readonly<Record<string, (chat: SessionState) => string>> = {
  'Open Chat as Text': chat => chatText(chat, masker.mask),
  'Export Chat as Markdown': chat => chatMarkdown(chat, masker.mask),
  'a conversation for another agent': chat => conversationText(chat, masker.mask),
};

describe('no secret is in a text of a chat', () => {
  for (const [way, text] of Object.entries(WAYS)) {
    for (const [what, part] of Object.entries(PARTS)) {
      it(`${way}: ${what}`, () => assertMasked(text(chatWith(part)), what === 'terminal'));
    }
  }

  it('a chat that is attached to a message', async () => {
    const chat = chatWith({ kind: 'text', id: 'p', text: SAID });
    const attachments = new ContextAttachments(
      () => Promise.resolve(undefined),
      () => 'id',
      () => chat,
      masker.mask,
    );
    const of = { id: 'a', label: 'Chat', title: 'Chat' };
    const own = await attachments.ofConversation(chat, 'Chat');
    for (const attachment of [
      { ...of, kind: 'chat', ref: 'c' } as const,
      { ...of, kind: 'conversation' } as const,
      own,
    ]) {
      assertMasked(JSON.stringify(await attachments.resolve(attachment, chat)), false);
    }
  });
});

function chatWith(part: Part): SessionState {
  const prompt = {
    id: 'm',
    text: SAID,
    attachments: [{ id: 'a', kind: 'file', label: SAID, title: SAID }],
  } as const;
  const terminal = { id: 'one', command: SAID, output: SAID, owned: true } as never;
  return {
    ...initialSession({ chatId: 'c', agentName: 'Ada', cwd: '/', at: 0 }),
    title: SAID,
    terminals: { one: terminal },
    turns: [
      { id: 't', prompt, parts: [part], startedAt: 0, endedAt: 1, end: { reason: 'end_turn' } },
    ],
  };
}

function assertMasked(text: string, mayLackIt: boolean): void {
  assert.ok(mayLackIt || text.includes('•••'), text);
  assert.doesNotMatch(text, /sk-ant|c2stYW50|%2Fapi|\u001b|\\u001b/);
}
