import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diffLines } from '../../../../src/base/lineDiff';
import { placeCode, withChange } from '../../../../src/vscode/codeBlocks/placeCode';

const FILE = `import { a } from './a';

export function one() {
  return 1;
}

class Two {
  three() {
    return 3;
  }

  four() {
    return 4;
  }
}
`;

describe('code finds its place by its first and last line', () => {
  test('a function', () => {
    const code = 'export function one() {\n  const x = 1;\n  return x;\n}';
    assert.equal(placeCode(FILE, code), FILE.replace('  return 1;', '  const x = 1;\n  return x;'));
  });

  test('a method written at the margin is indented as the file is', () => {
    const code = '\nthree() {\n  return 33;\n}\n';
    assert.equal(placeCode(FILE, code), FILE.replace('return 3;', 'return 33;'));
  });

  test('a whole file, though its last line closes others too', () => {
    const code = FILE.trim().replace('return 4;', 'return 44;');
    assert.equal(placeCode(FILE, code), FILE.replace('return 4;', 'return 44;'));
  });

  test('none, where the first line is missing or there twice', () => {
    assert.equal(placeCode(FILE, 'export function five() {\n}'), undefined);
    assert.equal(placeCode(`${FILE}${FILE}`, 'export function one() {\n}'), undefined);
    assert.equal(placeCode(FILE, ''), undefined);
    assert.equal(placeCode('', 'x'), undefined);
  });

  test('what stands around it stays', () => {
    const line = fc.constantFrom('a', 'b', '  b', '}', '', 'x;');
    const lines = fc.array(line, { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, lines, (before, inside, after) => {
        const file = [...before, 'begin {', ...inside, '} end', ...after].join('\n');
        const code = 'begin {\n  new\n} end';
        assert.equal(placeCode(file, code), [...before, ...code.split('\n'), ...after].join('\n'));
      }),
      { seed: 11 },
    );
  });
});

test('hunk by hunk, in any order, one text becomes the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, fc.nat(), (before, after, choice) => {
      let now: readonly string[] = before;
      for (let hunks = diffLines(now, after); hunks.length > 0; hunks = diffLines(now, after)) {
        const hunk = hunks[choice % hunks.length];
        assert.ok(hunk);
        now = withChange(now, after, hunk);
      }
      assert.deepEqual(now, after);
    }),
    { seed: 12 },
  );
});
