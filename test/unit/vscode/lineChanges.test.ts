import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hunk } from '../../../src/review/model';
import {
  areUpToDate,
  hunksOf,
  isLineChange,
  type LineChange,
} from '../../../src/vscode/review/decorations/lineChanges';

const hunk = (id: string, baseline: [number, number], current: [number, number]): Hunk => ({
  id,
  baseline: { start: baseline[0], count: baseline[1] },
  current: { start: current[0], count: current[1] },
  turns: [],
});

/** Line 2 became two lines; lines 4 and 5 are gone; a line was added behind line 7. */
const HUNKS = [hunk('a', [1, 1], [1, 2]), hunk('b', [3, 2], [4, 0]), hunk('c', [7, 0], [6, 1])];

const change = (original: [number, number], modified: [number, number]): LineChange => ({
  originalStartLineNumber: original[0],
  originalEndLineNumber: original[1],
  modifiedStartLineNumber: modified[0],
  modifiedEndLineNumber: modified[1],
});

const found = (original: [number, number], modified: [number, number]): string =>
  hunksOf(HUNKS, change(original, modified))
    .map(({ id }) => id)
    .join('');

describe("changes of VS Code's own diff", () => {
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

  it('name the hunk of the last line when only its line break came or went', () => {
    const last = [hunk('first', [0, 1], [0, 1]), hunk('last', [1, 1], [1, 1])];
    const ids = (named: LineChange) => hunksOf(last, named).map(({ id }) => id);
    assert.deepEqual(ids(change([2, 0], [3, 3])), ['last']);
    assert.deepEqual(ids(change([3, 3], [2, 0])), ['last']);
  });

  it('name no hunk that they only touch', () => {
    assert.equal(found([6, 6], [5, 5]), '');
    assert.equal(found([3, 3], [4, 4]), '');
  });

  it('are known to be those of a moment ago, before a hunk was kept, undone or edited', () => {
    const file = (baseline: string, current: string) => ({
      baseline: { kind: 'text', text: baseline } as const,
      current: { kind: 'text', text: current } as const,
    });
    const changes = [change([2, 2], [2, 3]), change([4, 5], [4, 0]), change([7, 0], [7, 7])];
    const texts = file('1\n2\n3\n4\n5\n6\n7\n', '1\n2\nzwei\n3\n6\n7\nnew\n');
    assert.ok(areUpToDate(changes, texts));
    // VS Code's grouping may be another one.
    assert.ok(areUpToDate([change([2, 5], [2, 4]), change([7, 0], [7, 7])], texts));
    const kept = file('1\n2\nzwei\n3\n4\n5\n6\n7\n', '1\n2\nzwei\n3\n6\n7\nnew\n');
    assert.ok(!areUpToDate(changes, kept));
    const undone = file('1\n2\n3\n4\n5\n6\n7\n', '1\n2\nzwei\n3\n6\n7\n');
    assert.ok(!areUpToDate(changes, undone));
  });

  it('are up to date whatever ends the last line and the others', () => {
    const added = [change([1, 1], [1, 3])];
    const baseline = { kind: 'text', text: 'a' } as const;
    for (const text of ['a\nb\n', 'a\r\nb\r\n', 'b\n\nc', 'b\rc\r']) {
      assert.ok(areUpToDate(added, { baseline, current: { kind: 'text', text } }), text);
    }
    const current = { kind: 'text', text: 'a\nb\n' } as const;
    assert.ok(areUpToDate(added, { baseline: { kind: 'absent' }, current }));
  });

  it('are told from other things a command may be given', () => {
    assert.ok(!isLineChange(null));
    assert.ok(!isLineChange({ originalStartLineNumber: 1 }));
    assert.ok(!isLineChange('1'));
  });
});
