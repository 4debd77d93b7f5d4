import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../src/session/state/actions';
import type { FromView, ToView } from '../../src/shared/messages';
import { ViewStore } from '../../webview/store';
import { PANEL, told } from './states';
import { asked, connected, said } from './story';

/** A store whose clock and frames the test drives. */
function harness() {
  const posts: FromView[] = [];
  const frames: (() => void)[] = [];
  const clock = { time: 1_000_000 };
  const store = new ViewStore(message => posts.push(message), {
    now: () => clock.time,
    nextFrame: task => void frames.push(task),
  });
  let changes = 0;
  store.onDidChange(() => (changes += 1));
  return {
    store,
    posts,
    clock,
    changes: () => changes,
    frame: () => frames.splice(0).forEach(task => task()),
  };
}

const start: readonly SessionAction[] = [...connected(), ...asked()];
const snapshot = (generation: number, seq = 0): ToView => ({
  type: 'snapshot',
  generation,
  seq,
  state: told(...start),
  now: 5_000_000,
});
const chunk = (text: string): SessionAction => said(text, 'text-1')[0] as SessionAction;
const batch = (generation: number, from: number, ...texts: string[]): ToView => ({
  type: 'actions',
  generation,
  from,
  to: from + texts.length - 1,
  actions: texts.map(chunk),
});
const textOf = (store: ViewStore) => {
  const part = store.session?.activeTurn?.parts.at(-1);
  return part?.kind === 'text' ? part.text : undefined;
};

describe("the view's copy of a chat", () => {
  test('a command comes after the changes that came before it', () => {
    const { store, frame } = harness();
    const heard: string[] = [];
    store.onDidChange(() => heard.push('change'));
    store.onDidCommand(command => heard.push(command.type));
    store.accept(snapshot(1));
    store.accept({ type: 'focusComposer' });
    frame();
    assert.deepEqual(heard, ['change', 'focusComposer']);
  });

  test('folds batches in order and tells once a frame', () => {
    const { store, posts, changes, frame } = harness();
    store.accept(snapshot(1));
    store.accept(batch(1, 1, 'a', 'b'));
    store.accept(batch(1, 3, 'c'));
    assert.equal(changes(), 0, 'nothing is told before the frame');
    frame();
    assert.equal(changes(), 1);
    assert.equal(textOf(store), 'abc');
    assert.deepEqual(posts, []);
  });

  test('asks for a snapshot when a batch is missing, and goes on from it', () => {
    const { store, posts } = harness();
    store.accept(snapshot(1));
    store.accept(batch(1, 1, 'a'));
    store.accept(batch(1, 3, 'c'));
    assert.deepEqual(posts, [{ type: 'resync' }]);
    assert.equal(textOf(store), 'a', 'what follows a gap is not applied');
    store.accept(batch(1, 4, 'd'));
    assert.equal(posts.length, 1, 'asked once while the answer is on its way');
    store.accept(snapshot(2, 4));
    store.accept(batch(2, 5, 'e'));
    assert.equal(textOf(store), 'e');
  });

  test('asks again when the answer was lost too', () => {
    const { store, posts, clock } = harness();
    store.accept(snapshot(1));
    store.accept(batch(1, 2, 'b'));
    clock.time += 1500;
    store.accept(batch(1, 3, 'c'));
    assert.deepEqual(posts, [{ type: 'resync' }, { type: 'resync' }]);
  });

  test('ignores what comes twice', () => {
    const { store, posts } = harness();
    store.accept(snapshot(1));
    store.accept(batch(1, 1, 'a', 'b'));
    store.accept(batch(1, 1, 'a', 'b'));
    assert.equal(textOf(store), 'ab');
    assert.deepEqual(posts, []);
  });

  test('asks for a snapshot when a batch overlaps what it has', () => {
    const { store, posts } = harness();
    store.accept(snapshot(1));
    store.accept(batch(1, 1, 'a'));
    store.accept(batch(1, 1, 'a', 'b'));
    assert.equal(textOf(store), 'a');
    assert.deepEqual(posts, [{ type: 'resync' }]);
  });

  test('ignores batches and snapshots of an earlier generation', () => {
    const { store, posts } = harness();
    store.accept(snapshot(3));
    store.accept(batch(3, 1, 'new'));
    store.accept(batch(2, 2, 'old'));
    store.accept(snapshot(2));
    assert.equal(textOf(store), 'new');
    assert.deepEqual(posts, []);
  });

  test('asks for a snapshot of a generation it does not know, and of a chat it never saw', () => {
    const { store, posts } = harness();
    store.accept(batch(1, 1, 'a'));
    assert.deepEqual(posts, [{ type: 'resync' }]);
    store.accept(snapshot(1));
    store.accept(batch(4, 1, 'a'));
    assert.equal(posts.length, 2);
  });

  test('forgets the chat when there is none any more', () => {
    const { store, frame, changes } = harness();
    store.accept({ type: 'panel', state: PANEL });
    store.accept(snapshot(1));
    store.accept({ type: 'noChat' });
    frame();
    assert.equal(store.session, undefined);
    assert.equal(store.panel, PANEL);
    assert.equal(changes(), 1);
  });

  test("goes by the host's clock", () => {
    const { store, clock } = harness();
    store.accept(snapshot(1));
    clock.time += 2500;
    assert.equal(store.now(), 5_002_500);
  });
});
