import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  agentChanged,
  EMPTY_LEDGER,
  keep,
  pendingAt,
  pendingFiles,
  redo,
  undo,
  type Ledger,
} from '../../../src/review/core/ledger';
import { meantOf } from '../../../src/review/core/targets';
import type { ReviewTarget, TurnRef } from '../../../src/review/model';
import { applied } from './ledgers';

const [A, B, C] = ['/work/a.txt', '/work/b.txt', '/work/c.txt'] as const;
const FIRST: TurnRef = { chatId: 'chat', turnId: 'first' };
const SECOND: TurnRef = { chatId: 'chat', turnId: 'second' };

const lines = (letters: string) => ({ kind: 'text', text: [...letters].join('\n') }) as const;
const changed = (ledger: Ledger, path: string, before: string, after: string, turn = FIRST) =>
  agentChanged(ledger, path, lines(before), lines(after), turn);

/** Two hunks in each of three files; the second of A is of another turn. */
const LEDGER = [B, C].reduce(
  (ledger, path) => changed(ledger, path, 'abcdef', 'aXcdYf'),
  changed(changed(EMPTY_LEDGER, A, 'abcdef', 'aXcdef'), A, 'aXcdef', 'aXcdYf', SECOND),
);
const idsOf = (path: string) => (pendingAt(LEDGER, path)?.hunks ?? []).map(({ id }) => id);
const meant = (target: ReviewTarget) =>
  pendingFiles(LEDGER).map(file => {
    const found = meantOf(file, target);
    return found.kind === 'hunks' ? found.hunks.map(({ id }) => id) : found.kind;
  });

describe('what a decision is about', () => {
  const [first, second] = idsOf(A);
  assert.ok(first !== undefined && second !== undefined);
  const cases: readonly (readonly [ReviewTarget, readonly unknown[]])[] = [
    [{ kind: 'hunk', path: A, hunkId: second }, [[second], 'none', 'none']],
    [{ kind: 'hunk', path: A, hunkId: 'gone' }, ['none', 'none', 'none']],
    [{ kind: 'hunks', path: B, hunkIds: idsOf(B) }, ['none', idsOf(B), 'none']],
    [{ kind: 'file', path: B }, ['none', 'file', 'none']],
    [{ kind: 'files', paths: [A, C, '/gone'] }, ['file', 'none', 'file']],
    [{ kind: 'turn', turn: FIRST }, [[first], 'file', 'file']],
    [{ kind: 'turn', turn: SECOND }, [[second], 'none', 'none']],
    [{ kind: 'chat', chatId: 'chat' }, ['file', 'file', 'file']],
    [{ kind: 'chat', chatId: 'other' }, ['none', 'none', 'none']],
    [{ kind: 'all' }, ['file', 'file', 'file']],
  ];
  for (const [target, expected] of cases) {
    it(`${JSON.stringify(target)}`, () => assert.deepEqual(meant(target), expected));
  }
});

describe('several at once', () => {
  it('files undone together come back together', () => {
    const after = applied(LEDGER, undo(LEDGER, { kind: 'files', paths: [A, B] })).ledger;
    assert.deepEqual(
      pendingFiles(after).map(({ path }) => path),
      [C],
    );
    assert.equal(after.undos.length, 1);
    const back = applied(after, redo(after).steps).ledger;
    assert.equal(pendingFiles(back).length, 3);
    assert.deepEqual(back.undos, []);
  });

  it('hunks undone together are one write and come back together', () => {
    const target = { kind: 'hunks', path: A, hunkIds: idsOf(A) } as const;
    const { ledger, writes } = applied(LEDGER, undo(LEDGER, target));
    assert.deepEqual(writes, [{ path: A, from: lines('aXcdYf'), to: lines('abcdef') }]);
    assert.equal(pendingAt(ledger, A), undefined);
    const back = applied(ledger, redo(ledger).steps).ledger;
    assert.deepEqual(pendingAt(back, A)?.current, lines('aXcdYf'));
  });

  it('hunks are kept together', () => {
    const target = { kind: 'hunks', path: A, hunkIds: idsOf(A) } as const;
    assert.equal(pendingAt(applied(LEDGER, keep(LEDGER, target)).ledger, A), undefined);
  });
});
