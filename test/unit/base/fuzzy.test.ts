import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { comparable, hitsIn, rankOf } from '../../../src/base/fuzzy';
import { PathList, nameStart } from '../../../src/base/pathList';

const PATHS = [
  'README.md',
  'docs/retry.md',
  'src/http/retry.ts',
  'src/http/retryPolicy.ts',
  'src/orders/noRetry.ts',
  'src/orders/poetry.ts',
  'src/retry/index.ts',
  'src/größe.ts',
  'src/日本語.ts',
  'test/http/retry.test.ts',
];
const found = (query: string, preferred?: ReadonlySet<string>) =>
  new PathList(PATHS).search(query, 5, preferred).map(({ path }) => path);

describe('paths for what is typed', () => {
  for (const [query, ...best] of [
    ['retry.ts', 'src/http/retry.ts', 'src/orders/noRetry.ts'],
    ['retry', 'docs/retry.md', 'src/http/retry.ts', 'test/http/retry.test.ts'],
    ['RETRYP', 'src/http/retryPolicy.ts'],
    ['policy', 'src/http/retryPolicy.ts'],
    ['rpol', 'src/http/retryPolicy.ts'],
    ['etry', 'docs/retry.md'],
    ['http/re', 'src/http/retry.ts', 'src/http/retryPolicy.ts'],
    ['http\\re', 'src/http/retry.ts', 'src/http/retryPolicy.ts'],
    ['shretry', 'src/http/retry.ts'],
    ['grö', 'src/größe.ts'],
    ['本', 'src/日本語.ts'],
    ['readme', 'README.md'],
  ] as const) {
    test(`"${query}" finds ${best.join(', ')} first`, () => {
      assert.deepEqual(found(query).slice(0, best.length), best);
    });
  }

  test('have all letters, or are not found', () => {
    assert.deepEqual(found('retryz'), []);
  });

  test('that are preferred come first of those that fit as well, and not before better ones', () => {
    const preferred = new Set(['test/http/retry.test.ts', 'src/orders/poetry.ts']);
    assert.deepEqual(found('retry', preferred).slice(0, 2), [
      'test/http/retry.test.ts',
      'docs/retry.md',
    ]);
  });
});

/** Names of few letters, so that much fits. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'ß', 'İ', '.', '語'), maxLength: 6 });
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map(words => words.join('/'));
const query = word.filter(text => text !== '');

/** Whether the letters of `wanted` stand in `text` in their order. */
function hasLetters(text: string, wanted: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === wanted[at]) at += 1;
  return at === wanted.length;
}

describe('for any paths', () => {
  test('what is typed key by key finds what it finds at once', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 40 }), query, (paths, text) => {
        const list = new PathList(paths);
        let typed: unknown;
        for (let end = 1; end <= text.length; end++) typed = list.search(text.slice(0, end), 10);
        assert.deepEqual(typed, new PathList(paths).search(text, 10));
      }),
    );
  });

  test('those are found that have the letters, as many as are wanted, and the marks are the letters', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 40 }), query, (paths, text) => {
        const wanted = comparable(text);
        const fitting = paths.filter(each => hasLetters(comparable(each), wanted));
        const matches = new PathList(paths).search(text, 10);
        assert.equal(matches.length, Math.min(10, fitting.length));
        const rank = (each: string) =>
          rankOf(comparable(each), each, wanted, nameStart(each)) ?? Infinity;
        const worst = Math.max(...matches.map(match => rank(match.path)));
        const chosen = new Set(matches.map(match => match.path));
        for (const each of fitting) {
          if (matches.length === 10 && !chosen.has(each)) assert.ok(rank(each) >= worst);
        }
        for (const match of matches) {
          const lower = comparable(match.path);
          assert.equal(match.hits.map(at => lower[at]).join(''), wanted);
          assert.deepEqual(match.hits, hitsIn(lower, wanted, nameStart(match.path)));
        }
      }),
    );
  });
});
