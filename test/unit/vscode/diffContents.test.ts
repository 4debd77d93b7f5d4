import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffSides } from '../../../src/vscode/review/diff/diffContents';

const request = { chatId: 'c', requestId: 'r', revision: 0 };
const path = '/w/a.ts';
const file = 'one\ntwo\nthree\n';

test('a new file has nothing on the left', () => {
  const sides = diffSides({ path, oldText: null, newText: 'x\n' }, undefined);
  assert.deepEqual(sides, { left: '', right: 'x\n', whole: true });
});

test('whole texts are shown as they are', () => {
  const sides = diffSides({ path, oldText: file, newText: 'one\n', request }, file);
  assert.deepEqual(sides, { left: file, right: 'one\n', whole: true });
});

test('a proposed snippet is shown in its place', () => {
  const sides = diffSides({ path, oldText: 'two', newText: '2', request }, file);
  assert.deepEqual(sides, { left: file, right: 'one\n2\nthree\n', whole: true });
});

test('an applied snippet is shown in its place', () => {
  const sides = diffSides({ path, oldText: 'two', newText: '2' }, 'one\n2\nthree\n');
  assert.deepEqual(sides, { left: file, right: 'one\n2\nthree\n', whole: true });
});

test('an applied insertion is not taken for one that is still to come', () => {
  const sides = diffSides({ path, oldText: 'two', newText: 'two\n2.5' }, 'one\ntwo\n2.5\nthree\n');
  assert.deepEqual(sides, { left: file, right: 'one\ntwo\n2.5\nthree\n', whole: true });
});

test('a snippet found twice stays a snippet', () => {
  const sides = diffSides({ path, oldText: 'x', newText: 'y', request }, 'x\nx\n');
  assert.deepEqual(sides, { left: 'x', right: 'y', whole: false });
});

test('line endings are no difference', () => {
  const sides = diffSides({ path, oldText: 'two\n', newText: '2\n', request }, 'one\r\ntwo\r\n');
  assert.deepEqual(sides, { left: 'one\ntwo\n', right: 'one\n2\n', whole: true });
});

test('a dollar sign in the new text is only that', () => {
  const sides = diffSides({ path, oldText: 'two', newText: "$&$'", request }, file);
  assert.equal(sides.right, "one\n$&$'\nthree\n");
});

test('a deletion shows all that the file says against nothing', () => {
  for (const [oldText, current, left] of [
    [null, file, file],
    [file, file, file],
    ['two\n', file, file],
    [file, undefined, file],
    [null, undefined, ''],
  ] as const) {
    const diff = { path, oldText, newText: '', change: 'deleted', request } as const;
    assert.deepEqual(diffSides(diff, current), { left, right: '', whole: false });
  }
});

test('a file that is written over shows what it says now, a new one nothing', () => {
  const diff = { path, oldText: null, newText: 'x\n', request } as const;
  const over = diffSides({ ...diff, change: 'modified' }, file);
  assert.deepEqual(over, { left: file, right: 'x\n', whole: true });
  assert.equal(diffSides({ ...diff, change: 'modified' }, undefined).left, '');
  assert.equal(diffSides({ ...diff, change: 'added' }, file).left, '');
});

test('a move of which no text is told changes no line', () => {
  const diff = { path, oldText: null, newText: '', change: 'moved', oldPath: '/w/o.ts' } as const;
  assert.deepEqual(diffSides(diff, file), { left: file, right: file, whole: false });
});

test('a move shows its snippet in the file that is moved', () => {
  const diff = { path, oldText: 'two', newText: '2', change: 'moved', request } as const;
  assert.deepEqual(diffSides(diff, file), { left: file, right: 'one\n2\nthree\n', whole: true });
});
