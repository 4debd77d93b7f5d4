import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hunk, PendingFile } from '../../../src/review/model';
import { HunkClicks } from '../../../src/vscode/review/hunkClicks';

const PATH = '/work/a.ts';

/** A file with hunks, decisions that take their time, and a clock and a VS Code that the test moves on. */
function world(ids: readonly string[]) {
  let left = [...ids];
  const decided: string[] = [];
  const state = { now: 0, fetches: 1 };
  const file = (): PendingFile | undefined =>
    left.length === 0
      ? undefined
      : ({ path: PATH, hunks: left.map(id => ({ id }) as Hunk) } as unknown as PendingFile);
  const clicks = new HunkClicks(
    { get: file },
    () => state.fetches,
    () => state.now,
  );
  const click = (id: string): Promise<void> =>
    clicks.click(PATH, id, async hunk => {
      await new Promise(setImmediate);
      decided.push(hunk);
      left = left.filter(other => other !== hunk);
    });
  return { state, decided, click, comeBack: (id: string) => left.unshift(id) };
}

test('clicks in a rhythm on a button that is not drawn anew decide one hunk after another', async () => {
  const { state, decided, click } = world(['a', 'b', 'c', 'd']);
  for (let count = 0; count < 6; count++) {
    await click('a');
    state.now += 400;
  }
  assert.deepEqual(decided, ['a', 'b', 'c', 'd']);
});

test('so they do while the decisions are still being carried out', async () => {
  const { state, decided, click } = world(['a', 'b', 'c', 'd']);
  const all = [0, 1, 2].map(() => {
    state.now += 400;
    return click('a');
  });
  await Promise.all(all);
  assert.deepEqual(decided, ['a', 'b', 'c']);
});

test('a double click decides one hunk, however long the decision takes', async () => {
  const { state, decided, click } = world(['a', 'b']);
  const first = click('a');
  state.now += 150;
  const second = click('a');
  await Promise.all([first, second]);
  state.now += 1;
  await click('a');
  assert.deepEqual(decided, ['a']);
});

test('a click that comes soon after VS Code has fetched the lenses is another one', async () => {
  const { state, decided, click } = world(['a', 'b']);
  await click('a');
  state.now += 150;
  state.fetches += 1;
  await click('a');
  assert.deepEqual(decided, ['a', 'b']);
});

test('the place of a hunk in the middle goes to the one behind it, never to one before', async () => {
  const { state, decided, click } = world(['a', 'b', 'c']);
  await click('b');
  state.now += 500;
  await click('b');
  state.now += 500;
  await click('b');
  assert.deepEqual(decided, ['b', 'c']);
});

test('a button whose hunk has come back means that hunk', async () => {
  const { state, decided, click, comeBack } = world(['a', 'b']);
  await click('a');
  comeBack('a');
  state.now += 500;
  await click('a');
  assert.deepEqual(decided, ['a', 'a']);
});

test('a button of a hunk that was never decided here means nothing else', async () => {
  const { decided, click } = world(['a', 'b']);
  await click('changed since');
  assert.deepEqual(decided, []);
});
