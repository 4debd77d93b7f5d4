import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchChats } from '../../../src/session/history/searchChats';
import { initialSession } from '../../../src/session/state/initialSession';
import type { Part, SessionState, Turn } from '../../../src/session/state/state';

const BASE = initialSession({ chatId: 'c', agentName: 'Agent', cwd: '/w', at: 0 });
const AT = { startedAt: 0 };

const turn = (parts: readonly Part[], prompt = '', id = 't'): Turn => ({
  id,
  prompt: { id: `p-${id}`, text: prompt, attachments: [] },
  parts,
  startedAt: 0,
});
const chat = (change: Partial<SessionState>): SessionState => ({ ...BASE, ...change });
const said = (...texts: readonly string[]): SessionState =>
  chat({
    turns: texts.map((text, index) =>
      turn([{ kind: 'text', id: `x${index}`, text }], '', `t${index}`),
    ),
  });

const NEVER = new AbortController().signal;
const search = (chats: readonly SessionState[], query: string) =>
  searchChats(
    chats,
    query,
    ({ title, agent }) => `${title ?? ''} ${agent.name}`,
    () => Promise.resolve(),
    NEVER,
  );
const preview = async (state: SessionState, query: string) =>
  (await search([state], query))[0]?.preview;

const tool = { kind: 'tool', id: 'k', toolCallId: 'k', status: 'completed', ...AT } as const;
const TOOL = { ...tool, title: 'Run', toolKind: 'execute', content: [], locations: [] } as const;
const PREVIEW = { text: 'a needle here', truncated: false };

/** Each place in which something is said in a chat. */
const PLACES: Readonly<Record<string, SessionState>> = {
  prompt: chat({ turns: [turn([], 'a needle here')] }),
  'prompt that is answered now': chat({ activeTurn: turn([], 'a needle here') }),
  answer: said('a needle here'),
  thought: chat({ turns: [turn([{ kind: 'thought', id: 'x', text: 'a needle here', ...AT }])] }),
  'message while the agent works': chat({
    turns: [
      turn([
        { kind: 'user', id: 'u', message: { id: 'm', text: 'a needle here', attachments: [] } },
      ]),
    ],
  }),
  'content of an answer': chat({
    turns: [turn([{ kind: 'content', id: 'x', block: { kind: 'text', text: PREVIEW } }])],
  }),
  'name of a call': chat({ turns: [turn([{ ...TOOL, title: 'a needle here' }])] }),
  'result of a call': chat({
    turns: [
      turn([{ ...TOOL, content: [{ kind: 'block', block: { kind: 'text', text: PREVIEW } }] }]),
    ],
  }),
  'input of a call': chat({ turns: [turn([{ ...TOOL, rawInput: PREVIEW }])] }),
  'output of a call': chat({ turns: [turn([{ ...TOOL, rawOutput: PREVIEW }])] }),
  'line of a diff': chat({
    turns: [
      turn([
        {
          ...TOOL,
          content: [
            {
              kind: 'diff',
              diff: {
                ref: 'r',
                path: 'a.ts',
                change: 'modified',
                added: 1,
                removed: 0,
                hunks: [{ line: 1, lines: [{ sign: '+', text: 'a needle here' }] }],
                truncated: false,
              },
            },
          ],
        },
      ]),
    ],
  }),
  'output of a command, in colors': chat({
    turns: [turn([{ ...TOOL, content: [{ kind: 'terminal', terminalId: 'e' }] }])],
    terminals: {
      e: { id: 'e', command: 'x', output: 'a \u001b[31mnee\u001b[0mdle here', ...AT, owned: true },
    } as unknown as SessionState['terminals'],
  }),
  plan: chat({
    turns: [
      turn([
        {
          kind: 'plan',
          id: 'x',
          entries: [{ content: 'a needle here', status: 'pending', priority: 'low' }],
        },
      ]),
    ],
  }),
  notice: chat({
    turns: [turn([{ kind: 'notice', id: 'n', level: 'info', text: 'a needle here', actions: [] }])],
  }),
  'message that waits': chat({ queue: [{ id: 'q', text: 'a needle here', attachments: [] }] }),
  draft: chat({ draft: { text: 'a needle here', attachments: [], revision: 0 } }),
};

for (const [place, state] of Object.entries(PLACES)) {
  test(`a chat is found by its ${place}`, async () => {
    assert.equal(await preview(state, 'NEEDLE'), 'a needle here');
    assert.deepEqual(await search([state], 'haystack'), []);
  });
}

test('a chat is found when each word is somewhere in it, its title and its agent included', async () => {
  const state = { ...said('the first', 'the second'), title: 'Named' };
  for (const query of ['first second', 'named agent', 'agent second', '  named  ']) {
    assert.equal((await search([state], query)).length, 1, query);
  }
  for (const query of ['first third', 'named other']) {
    assert.deepEqual(await search([state], query), [], query);
  }
  assert.deepEqual(await search([state], '   '), []);
  assert.deepEqual(await search([state], 'named'), [{ chatId: 'c' }], 'nothing but the title');
});

test('the place that is shown has all of it, else most of it, the latest first', async () => {
  const texts = ['red fox, old', 'a red\nfox', 'the fox is red', 'only red'];
  assert.equal(await preview(said(...texts), 'red fox'), 'a red fox');
  assert.equal(
    await preview(said('red then', 'the fox is red', 'red'), 'red fox'),
    'the fox is red',
  );
  assert.equal(await preview(said('red one', 'red two'), 'red'), 'red two');
});

test('signs that mean something to patterns are looked for as they are', async () => {
  for (const query of ['a.b', 'f(x)', '[0]', 'C:\\x', '$1', 'x*', 'a|b', '^', '{2}', '/']) {
    assert.equal(await preview(said(`before ${query} after`), query), `before ${query} after`);
    assert.deepEqual(await search([said('plain words')], query), [], query);
  }
});

test('a preview is a line without signs of Markdown, cut between words around the place', async () => {
  assert.equal(
    await preview(said('# Why\n\n- Is **not** `needle`\n\n```ts\nconst x\n```'), 'needle'),
    'Why Is not needle const x',
  );
  const far = `${'word '.repeat(50)}needle ${'word '.repeat(100)}`;
  const cut = (await preview(said(far), 'needle')) ?? '';
  assert.match(cut, /^…(word )+needle (word )+/);
  assert.ok(cut.endsWith('…') && cut.length < 160, cut);
  const emoji = '\u{1F98A}'.repeat(40);
  assert.doesNotMatch((await preview(said(`${emoji}needle`), 'needle')) ?? '', /^…\p{Surrogate}/u);
});

test('whatever is said and asked: found is what has each word, with a preview that has one', async () => {
  const word = fc.constantFrom('red', 'Fox', 'over', '(dog)', 'über', 'x.y', 'redder');
  const text = fc.array(word, { maxLength: 6 }).map(words => words.join(' '));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 5 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      async (chats, words) => {
        const states = chats.map((texts, index) => ({ ...said(...texts), chatId: `c${index}` }));
        const found = await search(states, words.join(' '));
        const has = (all: string, one: string) => all.toLowerCase().includes(one.toLowerCase());
        const expected = states.filter((_, index) =>
          words.every(each => has((chats[index] ?? []).join('\n'), each)),
        );
        assert.deepEqual(
          found.map(({ chatId }) => chatId),
          expected.map(({ chatId }) => chatId),
        );
        for (const { preview: line = '' } of found) {
          assert.ok(
            words.some(each => has(line, each)),
            line,
          );
        }
      },
    ),
  );
});

test('a search gives way to other things, and ends when nobody waits for it', async () => {
  const long = said(...Array.from({ length: 8 }, () => 'word '.repeat(100_000)));
  const controller = new AbortController();
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    if (pauses === 2) controller.abort();
    return Promise.resolve();
  };
  assert.deepEqual(await searchChats([long], 'needle', () => '', pause, controller.signal), []);
  assert.equal(pauses, 2);
});
