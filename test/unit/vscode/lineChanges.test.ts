import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hunk } from '../../../src/review/model';
import { hunksOf, isLineChange } from '../../../src/vscode/review/lineChanges';

const hunk = (id: string, baseline: [number, number], current: [number, number]): Hunk => ({
  id,
  baseline: { start: baseline[0], count: baseline[1] },
  current: { start: current[0], count: current[1] },
  turns: [],
});

/** Line 2 became two lines; lines 4 and 5 are gone; a line was added behind line 7. */
const HUNKS = [hunk('a', [1, 1], [1, 2]), hunk('b', [3, 2], [4, 0]), hunk('c', [7, 0], [6, 1])];

const found = (original: [number, number], modified: [number, number]): string =>
  hunksOf(HUNKS, {
    originalStartLineNumber: original[0],
    originalEndLineNumber: original[1],
    modifiedStartLineNumber: modified[0],
    modifiedEndLineNumber: modified[1],
  })
    .map(({ id }) => id)
    .join('');

describe('changes of VS Code’s own diff', () => {
  it('name the hunk with the same lines, changed, removed or added', () => {
    assert.equal(found([2, 2], [2, 3]), 'a');
    assert.equal(found([4, 5], [4, 0]), 'b');
    assert.equal(found([7, 0], [7, 7]), 'c');
  });

  it('name every hunk that they join', () => {
    assert.equal(found([2, 5], [2, 4]), 'ab');
  });

  it('name the hunk that they are a part of', () => {
    assert.equal(found([1, 0], [3, 3]), 'a');
    assert.equal(found([5, 5], [4, 0]), 'b');
  });

  it('name no hunk that they only touch', () => {
    assert.equal(found([6, 6], [5, 5]), '');
    assert.equal(found([3, 3], [4, 4]), '');
  });

  it('are told from other things a command may be given', () => {
    assert.ok(!isLineChange(null));
    assert.ok(!isLineChange({ originalStartLineNumber: 1 }));
    assert.ok(!isLineChange('1'));
  });
});
