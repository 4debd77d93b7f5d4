import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutMoving } from '../../../src/vscode/chats/withoutMoving';

interface Row {
  readonly name: string;
  readonly detail: number;
}

const rows = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...'abcdefgh'), detail: fc.nat(3) }),
  { selector: ({ name }) => name },
);
const heading: Row = { name: 'new', detail: 0 };
const keyOf = ({ name }: Row) => name;
const names = (of: readonly Row[]) => of.map(keyOf);

test('rows keep their place whatever comes, goes or changes, and everything is there', () => {
  fc.assert(
    fc.property(rows, fc.array(rows, { maxLength: 4 }), (first, later) => {
      let shown: readonly Row[] = first;
      for (const now of later) {
        const before = shown;
        shown = withoutMoving(shown, now, keyOf, heading);
        assert.deepEqual(names(shown).slice(0, before.length), names(before));
        assert.equal(new Set(names(shown)).size, shown.length);
        for (const row of now)
          assert.deepEqual(
            shown.find(each => keyOf(each) === row.name),
            row,
          );
      }
    }),
  );
});
