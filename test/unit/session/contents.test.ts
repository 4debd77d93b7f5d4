import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Contents, type Content } from '../../../src/session/translate/contents';

const textOf = (text: string): Content => ({ kind: 'text', title: 'T', text });

test('one ref never stands for two contents, and what is held stays', () => {
  const steps = fc.array(
    fc.record({
      name: fc.constantFrom('a', 'b'),
      text: fc.constantFrom('x', 'y', 'z'),
      holds: fc.boolean(),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, list => {
      const contents = new Contents();
      const seen = new Map<string, string>();
      const held: string[] = [];
      const holds = list.map(({ name, text, holds: wanted }) => {
        const ref = contents.put(name, textOf(text));
        assert.equal(seen.get(ref) ?? text, text);
        seen.set(ref, text);
        if (!wanted) return undefined;
        held.push(ref);
        return contents.hold([ref]);
      });
      for (const ref of held) assert.ok(contents.get(ref));
      for (const hold of holds) hold?.dispose();
      const left = [...seen.keys()].filter(ref => contents.get(ref));
      assert.equal(left.length, new Set(list.map(({ name }) => name)).size, 'the latest of each');
    }),
  );
});

test('beyond the limit what came first is dropped, what is held last, and no ref is used again', () => {
  const contents = new Contents(10);
  const held = contents.put('a', textOf('12345678'));
  contents.hold([held]);
  const other = contents.put('b', textOf('12345678'));
  assert.ok(contents.get(held));
  contents.put('c', textOf('12345678'));
  assert.equal(contents.get(other), undefined);
  contents.put('d', textOf('1234567890123'));
  assert.equal(contents.get(held), undefined, 'no request can take more than twice the limit');
  assert.notEqual(contents.put('a', textOf('another')), held);
});
