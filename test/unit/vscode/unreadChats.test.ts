/** Which chats are marked as unread: those in which something ended that their user could not see. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import type { Chat } from '../../../src/session/chats';
import { initialSession } from '../../../src/session/state/initialSession';
import { SessionStore } from '../../../src/session/state/store';
import type { TurnEnd } from '../../../src/session/state/state';
import { UnreadChats } from '../../../src/vscode/inbox/unreadChats';

function window(kept: Record<string, unknown> = {}) {
  const changed = new Emitter<Chat>();
  const chats = new Map<string, Chat>();
  const unread = new UnreadChats(
    { get: chatId => chats.get(chatId), onDidChange: changed.event },
    {
      get: (key: string) => kept[key] as never,
      update: (key, value) => {
        kept[key] = value;
        return Promise.resolve();
      },
    },
  );
  let visible: string | undefined;
  unread.watch(chatId => chatId === visible);
  const add = (chatId: string) => {
    const store = new SessionStore(initialSession({ chatId, agentName: 'a', cwd: '/', at: 0 }));
    const chat = { chatId, store } as Chat;
    chats.set(chatId, chat);
    store.onDidApply(() => changed.fire(chat));
    changed.fire(chat);
    const turn = (turnId: string, end: TurnEnd['reason']) => {
      store.dispatch({
        type: 'turnStarted',
        turnId,
        prompt: { id: turnId, text: 't', attachments: [] },
        at: 0,
      });
      store.dispatch({ type: 'turnEnded', end: { reason: end }, planPartId: 'p', at: 1 });
    };
    const fail = () =>
      store.dispatch({
        type: 'connectionChanged',
        connection: {
          kind: 'failed',
          problem: { kind: 'crashed', title: 't', actions: [] } as never,
        },
      });
    const remove = () => {
      chats.delete(chatId);
      changed.fire(chat);
    };
    return { turn, fail, remove };
  };
  const show = (chatId: string | undefined) => {
    visible = chatId;
    unread.look();
  };
  return { unread, add, show, kept };
}

const ENDS: readonly (readonly [TurnEnd['reason'], 'done' | 'failed' | undefined])[] = [
  ['end_turn', 'done'],
  ['max_tokens', 'done'],
  ['refusal', 'done'],
  ['failed', 'failed'],
  ['cancelled', undefined],
  ['interrupted', undefined],
];

for (const [end, mark] of ENDS) {
  test(`a turn out of sight that ends as ${end} is ${mark ?? 'not unread'}, until it is shown`, () => {
    const { unread, add, show } = window();
    const { turn } = add('one');
    turn('t', end);
    equal(unread.of('one'), mark);
    show('one');
    equal(unread.of('one'), undefined);
  });
}

test('what ends in sight is read', () => {
  const { unread, add, show } = window();
  show('one');
  add('one').turn('t', 'end_turn');
  show(undefined);
  equal(unread.of('one'), undefined);
});

test('an agent that goes away is unread, and a deleted chat is not', () => {
  const { unread, add, kept } = window();
  const { fail, remove } = add('one');
  fail();
  equal(unread.of('one'), 'failed');
  deepEqual(kept['parley.unread'], [['one', 'failed']]);
  remove();
  equal(unread.of('one'), undefined);
  deepEqual(kept['parley.unread'], []);
});

test('marks outlive the window, and listeners hear of each change', () => {
  const kept = { 'parley.unread': [['one', 'done']] };
  const { unread, add, show } = window(kept);
  add('one');
  let heard = 0;
  unread.onDidChange(() => heard++);
  equal(unread.of('one'), 'done');
  show('one');
  equal(heard, 1);
});
