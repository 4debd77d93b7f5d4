import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutEscapes } from '../../../src/base/escapeSequences';

const ROWS: readonly [string, string][] = [
  ['plain text\twith tabs\r\n', 'plain text\twith tabs\r\n'],
  ['\x1b[1;31mred\x1b[0m', 'red'],
  ['\x1b[38;2;1;2;3mtrue\x1b[m', 'true'],
  ['\x9b31mred\x9b0m', 'red'],
  ['\x1b]0;title\x07text', 'text'],
  ['\x1b]8;;https://a.b\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x1b]52;c;aGk=\x9ctext', 'text'],
  ['\x9d0;title\x07text', 'text'],
  ['\x1bPq#0\x1b\\text', 'text'],
  ['\x1b]0;never ends\nnext line', '\nnext line'],
  ['\x1b[?1049h\x1b[2J\x1b[H\x1b(B\x1b=\x1b7\x1bctext', 'text'],
  ['a\x08b\x00\x07\x7f', 'ab'],
  ['begun \x1b', 'begun '],
  ['begun \x1b[3', 'begun '],
  ['begun \x1b]8;;http', 'begun '],
];
for (const [text, expected] of ROWS) {
  test(`reads ${JSON.stringify(text)}`, () => assert.equal(withoutEscapes(text), expected));
}

const piece = fc.constantFrom(
  ...[
    '\x1b',
    '[',
    ']',
    '8;;',
    '31',
    'm',
    '\x07',
    '\\',
    '\x9b',
    '\x9c',
    '\x9d',
    'P',
    '\n',
    'é',
    ' ',
    'text',
  ],
);
const texts = fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join(''));

test('nothing is left that a terminal would act on', () => {
  fc.assert(
    fc.property(texts, text => {
      assert.doesNotMatch(withoutEscapes(text), /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
    }),
  );
});

test('a text that grows takes nothing back', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      assert.ok(withoutEscapes(before + after).startsWith(withoutEscapes(before)));
    }),
  );
});
