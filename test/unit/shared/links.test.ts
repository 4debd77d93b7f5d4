import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseLink } from '../../../src/shared/links';
import { mayBePath, pathWords } from '../../../webview/markdown/pathWords';
import { LINK_CASES } from './linkCases';

describe('links in prose', () => {
  for (const [href, target] of LINK_CASES) {
    test(`"${href}" is ${target.kind}`, () => assert.deepEqual(parseLink(href), target));
  }
});

test('words that may name files are found in a sentence, without what belongs to the sentence', () => {
  const words = (text: string) => pathWords(text).map(word => word.text);
  for (const [sentence, found] of [
    [
      'See src/app.ts:14, README.md:2 and Makefile:1.',
      ['src/app.ts:14', 'README.md:2', 'Makefile:1'],
    ],
    ['(in `src/a.ts`): done', ['src/a.ts']],
    ['“docs/a.md”… and docs/b.md!', ['docs/a.md', 'docs/b.md']],
    ['at run (src/a.ts:3:14)', ['src/a.ts:3:14']],
    ['C:\\x\\a.ts:4 fails', ['C:\\x\\a.ts:4']],
    ['grüße/straße.ts', ['grüße/straße.ts']],
    ['.gitignore, ./a.sh', ['.gitignore', './a.sh']],
    ['https://example.org/a.ts and mailto:a@b.example', []],
    ['Nothing here. At all: a list', []],
    ['file:///w/a.ts#L5-L7.', ['file:///w/a.ts#L5-L7']],
  ] as const) {
    assert.deepEqual(words(sentence), found, sentence);
  }
  for (const { text, at } of pathWords('See src/a.ts and [b/c.ts].')) {
    assert.equal('See src/a.ts and [b/c.ts].'.slice(at, at + text.length), text);
  }
});

test('what is long, or of several lines, names no file', () => {
  assert.equal(mayBePath('my file.ts:2'), true);
  assert.equal(mayBePath(`${'a/'.repeat(400)}b.ts`), false);
  assert.equal(mayBePath('a/b\nc/d'), false);
});
