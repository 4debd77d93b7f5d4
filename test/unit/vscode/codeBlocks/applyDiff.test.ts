import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { applyDiff } from '../../../../src/vscode/codeBlocks/applyDiff';

describe('a diff is applied by the lines it names', () => {
  const file = 'one\ntwo\nthree\nfour\n';

  test('without numbers and headers', () => {
    assert.equal(applyDiff(file, ' one\n-two\n+2\n three'), 'one\n2\nthree\nfour\n');
    assert.equal(applyDiff(file, '@@ … @@\n three\n-four\n+4\n+5\n'), 'one\ntwo\nthree\n4\n5\n');
  });

  test('not where the lines are missing, there twice, or none are named', () => {
    assert.equal(applyDiff(file, '-five\n+5'), undefined);
    assert.equal(applyDiff('a\nb\na\n', '-a\n+c'), undefined);
    assert.equal(applyDiff(file, '+new'), undefined);
  });

  test('every diff with distinct lines', () => {
    const before = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    const place = fc.nat({ max: before.length - 1 });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 5 }), places => {
        const after = before.flatMap((line, n) =>
          places.includes(n) ? (n % 3 === 0 ? [] : [`${line} changed`, 'and more']) : [line],
        );
        const [from, to] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`];
        assert.equal(applyDiff(from, createTwoFilesPatch('a/x.ts', 'b/x.ts', from, to)), to);
      }),
      { seed: 13 },
    );
  });
});
