import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffSides } from '../../../src/vscode/review/diffContents';

const request = { chatId: 'c', requestId: 'r' };
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
