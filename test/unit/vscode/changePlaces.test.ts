import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hunk, PendingFile } from '../../../src/review/model';
import { hunkAt, nextPlace } from '../../../src/vscode/review/changePlaces';

const hunk = (baseline: [number, number], current: [number, number]): Hunk => ({
  id: `${current.join('+')}`,
  baseline: { start: baseline[0], count: baseline[1] },
  current: { start: current[0], count: current[1] },
  turns: [],
});

const file = (path: string, hunks: readonly Hunk[], fields: Partial<PendingFile> = {}) => ({
  path,
  change: 'modified' as const,
  baseline: { kind: 'text' as const, text: '' },
  current: { kind: 'text' as const, text: '' },
  hunks,
  added: 0,
  removed: 0,
  turns: [],
  ...fields,
});

/** Lines 2 and 3 replaced by 2 to 4; behind 8 (was 7) two lines are missing. */
const A = file('/a', [hunk([2, 2], [2, 3]), hunk([8, 2], [9, 0])]);
const GONE = file('/b', [hunk([0, 3], [0, 0])], { change: 'deleted' });
const C = file('/c', [hunk([0, 0], [0, 1])]);

describe('the hunk at a line', () => {
  test('holds it on either side', () => {
    const at = (line: number, side: 'baseline' | 'current') => hunkAt(A, line, side)?.id;
    assert.deepEqual(
      [1, 2, 4, 5].map(line => at(line, 'current')),
      [undefined, '2+3', '2+3', undefined],
    );
    assert.deepEqual(
      [1, 2, 3, 4].map(line => at(line, 'baseline')),
      [undefined, '2+3', '2+3', undefined],
    );
  });

  test('answers to both neighbours where lines are missing', () => {
    assert.deepEqual(
      [7, 8, 9, 10].map(line => hunkAt(A, line, 'current')?.id),
      [undefined, '9+0', '9+0', undefined],
    );
  });

  test('that has the line comes before one that ends at it', () => {
    const close = file('/d', [hunk([1, 1], [1, 0]), hunk([2, 1], [1, 1])]);
    assert.equal(hunkAt(close, 1, 'current')?.current.count, 1);
  });
});

describe('the next change', () => {
  const pending = [A, GONE, C];
  const next = (path: string | undefined, line: number | undefined, direction: 1 | -1) => {
    const from =
      path === undefined
        ? undefined
        : { path, side: 'current' as const, ...(line !== undefined && { line }) };
    const place = nextPlace(pending, from, direction);
    return place && [place.file.path, place.hunk?.current.start, place.wrapped];
  };

  test('is in the file, then in the next one, then the first again', () => {
    assert.deepEqual(next('/a', 0, 1), ['/a', 2, false]);
    assert.deepEqual(next('/a', 3, 1), ['/a', 9, false]);
    assert.deepEqual(next('/a', 9, 1), ['/b', undefined, false]);
    assert.deepEqual(next('/b', undefined, 1), ['/c', 0, false]);
    assert.deepEqual(next('/c', 0, 1), ['/a', 2, true]);
  });

  test('backwards too', () => {
    assert.deepEqual(next('/a', 9, -1), ['/a', 2, false]);
    assert.deepEqual(next('/a', 2, -1), ['/c', 0, true]);
    assert.deepEqual(next('/c', 0, -1), ['/b', undefined, false]);
    assert.deepEqual(next('/b', undefined, -1), ['/a', 9, false]);
  });

  test('from a file without changes is that of the file behind it', () => {
    assert.deepEqual(next('/b5', 10, 1), ['/c', 0, false]);
    assert.deepEqual(next('/b5', 10, -1), ['/b', undefined, false]);
    assert.deepEqual(next('/z', 10, 1), ['/a', 2, true]);
  });

  test('from nowhere is the first, or the last', () => {
    assert.deepEqual(next(undefined, undefined, 1), ['/a', 2, false]);
    assert.deepEqual(next(undefined, undefined, -1), ['/c', 0, false]);
  });

  test('is none when there is none', () => {
    assert.equal(nextPlace([], undefined, 1), undefined);
  });
});
