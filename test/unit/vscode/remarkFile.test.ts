/** Remarks of several windows in one file: nothing is lost of what any of them has. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Remark } from '../../../src/review/remarks';
import { remarkFile } from '../../../src/vscode/review/comments/remarkFile';
import { temporaryFolder } from '../git/support';

const remark = (text: string, line = 0): Remark => ({
  text,
  change: { path: '/w/a', hunkId: 'h', lines: { start: line, count: 1 }, patch: ['+x'] },
});
const texts = (remarks: readonly Remark[]): readonly string[] =>
  remarks.map(({ text }) => text).sort();

test('each window adds to what others wrote, and takes away only what it had', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'sub', 'remarks.json');
  const [one, two] = [remarkFile(file), remarkFile(file)];
  assert.deepEqual(one.get(), []);
  assert.deepEqual(two.get(), []);
  one.set([remark('of one')]);
  two.set([remark('of two')]);
  const three = remarkFile(file);
  assert.deepEqual(texts(three.get()), ['of one', 'of two']);
  // It is sent in one window, and has moved in another.
  one.set([]);
  three.set([remark('of one', 7), remark('of two'), remark('of three')]);
  assert.deepEqual(texts(remarkFile(file).get()), ['of three', 'of two']);
  assert.deepEqual(readdirSync(path.dirname(file)), ['remarks.json']);
});

test('what is none is left out, and written over', () => {
  const file = path.join(temporaryFolder(), 'remarks.json');
  writeFileSync(file, '[{"text":1},');
  const memory = remarkFile(file);
  assert.deepEqual(memory.get(), []);
  memory.set([remark('new')]);
  assert.deepEqual(texts(remarkFile(file).get()), ['new']);
});

test('whatever windows do in whatever order, what each still has is there', () => {
  const step = fc.record({
    window: fc.nat(2),
    text: fc.constantFrom('a', 'b', 'c', 'd'),
    isAdded: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const file = path.join(temporaryFolder(), 'remarks.json');
      const windows = [0, 1, 2].map(() => ({ memory: remarkFile(file), has: new Set<string>() }));
      const there = new Set<string>();
      for (const { memory } of windows) memory.get();
      for (const { window, text, isAdded } of steps) {
        // Each window has texts of its own.
        const own = `${window} ${text}`;
        const one = windows[window];
        if (!one) continue;
        for (const set of [one.has, there]) {
          if (isAdded) set.add(own);
          else set.delete(own);
        }
        one.memory.set([...one.has].map(each => remark(each)));
      }
      assert.deepEqual(texts(remarkFile(file).get()), [...there].sort());
    }),
    { numRuns: 50 },
  );
});
