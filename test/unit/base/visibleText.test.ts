import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { withoutHidden } from '../../../src/base/hiddenCharacters';
import { isBlank, textPieces, visibleText } from '../../../src/base/visibleText';
import type { TextOptions } from '../../../src/base/visibleText';

/** Every UTF-16 unit, so that lone surrogates come up, and more of what deceives than chance brings. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)),
  fc.integer({ min: 0, max: 0x10ffff }).map(point => String.fromCodePoint(point)),
  fc.constantFrom(
    ...[
      'a',
      '1',
      ' ',
      '\n',
      '\r',
      '\u200b',
      '\u200d',
      '\u202e',
      '\ufe0f',
      '\u0430',
      '\u03bf',
      '👩',
      '\u2215',
    ],
  ),
);
const text = fc.array(unit, { maxLength: 40 }).map(units => units.join(''));
const options: fc.Arbitrary<TextOptions> = fc.record({ edges: fc.boolean(), code: fc.boolean() });

const marks = (of: string, how: TextOptions = {}): string[] =>
  textPieces(of, how).flatMap(piece =>
    piece.kind === 'plain' ? [] : [`${piece.kind} ${piece.label} ${piece.name}`],
  );

/** First and last of the ranges that are hidden wherever they stand alone. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffc],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
  [0xf0000, 0x10ffff],
];

describe('what cannot be seen', () => {
  test('is hidden, each character of it', () => {
    for (const [first, last] of HIDDEN) {
      for (let point = first; point <= last; point += 1) {
        const character = String.fromCodePoint(point);
        const label = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
        assert.equal(visibleText(`a${character}b`), `a‹${label}›b`);
        assert.ok(isBlank(` ${character}\n`), label);
        assert.equal(withoutHidden(`a${character}b`), 'ab');
      }
    }
  });

  test('has a name', () => {
    assert.deepEqual(marks('a\u202eb\u200b\u200b\u061c\u2066\udc00\ue000\u001b\u{e0061}'), [
      'hidden U+202E right-to-left override',
      'hidden U+200B zero-width space',
      'hidden U+061C Arabic letter mark',
      'hidden U+2066 left-to-right isolate',
      'hidden U+DC00 lone surrogate',
      'hidden U+E000 private use',
      'hidden U+001B escape',
      'hidden U+E0061 tag',
    ]);
  });

  test('is one piece where the same repeats', () => {
    assert.equal(visibleText('a\u200b\u200b\u200bb'), 'a‹U+200B ×3›b');
    assert.deepEqual(
      textPieces('\u200b\u200b').map(piece => [piece.kind, piece.text]),
      [['hidden', '\u200b\u200b']],
    );
  });

  test('is not what scripts and emoji need', () => {
    for (const fine of [
      'tab\tline\nline\r\n',
      '👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3 #\ufe0f\u20e3 🏳\ufe0f\u200d🌈 ⚠\ufe0e',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      'می\u200cخواهم',
      'क्\u200dष ക്\u200dക',
      '葛\u{e0100}城',
      '\u0600\u06dd',
      'no\u00a0break',
    ]) {
      assert.equal(visibleText(fine), fine);
    }
  });

  test('is hidden where it only seems to be needed', () => {
    for (const [given, seen] of [
      ['rm\r-rf', 'rm‹U+000D›-rf'],
      ['a\u200db', 'a‹U+200D›b'],
      ['a\ufe0f', 'a‹U+FE0F›'],
      ['1\ufe0f', '1‹U+FE0F›'],
      ['😀\ufe0f\ufe0f', '😀\ufe0f‹U+FE0F›'],
      ['😀\u200d', '😀‹U+200D›'],
      ['می\u200c', 'می‹U+200C›'],
      ['می\u200c\u200cخ', 'می‹U+200C ×2›خ'],
      ['🏴\u{e0061}\u{e007f}', '🏴‹U+E0061›‹U+E007F›'],
      ['葛\u{e0100}\u{e0101}', '葛\u{e0100}‹U+E0101›'],
    ] as const) {
      assert.equal(visibleText(given), seen);
    }
  });

  test('includes unusual blanks in code, and blanks at the ends of names', () => {
    assert.equal(visibleText('a\u00a0\u3000b', { code: true }), 'a‹U+00A0›‹U+3000›b');
    assert.equal(visibleText(' .git ', { edges: true }), '‹U+0020›.git‹U+0020›');
    assert.equal(visibleText('a b', { edges: true }), 'a b');
    assert.equal(visibleText('a\nb\t', { edges: true }), 'a‹U+000A›b‹U+0009›');
    assert.equal(visibleText('x \u200b ', { edges: true }), 'x‹U+0020›‹U+200B›‹U+0020›');
    assert.equal(visibleText('  ', { edges: true }), '‹U+0020 ×2›');
  });

  test('makes a text blank when there is nothing else', () => {
    for (const blank of ['', ' \n', '\u200b', '\u3164\u2800', '\u202e \u2069', '\ufe0f']) {
      assert.ok(isBlank(blank));
    }
    for (const seen of ['a', '.', '\u200b!', '👩\u200d💻', '\u0600']) assert.ok(!isBlank(seen));
  });
});

describe('what looks like something else', () => {
  test('is marked', () => {
    const cases: readonly (readonly [string, readonly string[], TextOptions?])[] = [
      ['p\u0430ypal', ['lookAlike U+0430 Cyrillic а, not Latin a']],
      [
        'p\u200b\u0430y',
        ['hidden U+200B zero-width space', 'lookAlike U+0430 Cyrillic а, not Latin a'],
      ],
      ['g\u03bf\u03bfgle', ['lookAlike U+03BF Greek ο, not Latin o']],
      ['\u13a1oot', ['lookAlike U+13A1 Cherokee Ꭱ, not Latin R']],
      ['l\u0436s', ['lookAlike U+0436 Cyrillic ж among Latin letters']],
      [
        '\u0441\u0430\u0440',
        ['с', 'а', 'р'].map(
          (letter, at) =>
            `lookAlike U+04${['41', '30', '40'][at]} Cyrillic ${letter}, not Latin ${'cap'[at]}`,
        ),
      ],
      ['\uff52m', ['lookAlike U+FF52 ｒ, not Latin r']],
      ['\u{1d42b}m', ['lookAlike U+1D42B 𝐫, not Latin r']],
      ['a\u2024b', ['lookAlike U+2024 ․, not .']],
      ['a\u037e', ['lookAlike U+037E \u037e, not ;']],
      ['a\u2215b', ['lookAlike U+2215 ∕, not /'], { code: true }],
      ['a\uff0fb', ['lookAlike U+FF0F ／, not /'], { code: true }],
      ['\u2014rf', ['lookAlike U+2014 —, not -'], { code: true }],
      [
        '\u201crm\u201d',
        ['lookAlike U+201C “, not "', 'lookAlike U+201D ”, not "'],
        { code: true },
      ],
      ['\u0430', ['lookAlike U+0430 Cyrillic а, not Latin a'], { code: true }],
      [
        '\u043e\u043d \u0441\u0430\u0440',
        ['с', 'а', 'р'].map(
          (letter, at) =>
            `lookAlike U+04${['41', '30', '40'][at]} Cyrillic ${letter}, not Latin ${'cap'[at]}`,
        ),
        { code: true },
      ],
    ];
    for (const [given, expected, how] of cases)
      assert.deepEqual(marks(given, how), expected, given);
  });

  test('has every look-alike of the punctuation of code', () => {
    for (const character of '\u2044\u2215\u29f8\uff0f\u2216\uff3c\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u02b9\u2019\u2032\uff07\u201c\u2033\uff02\u037e\uff1b\u2223\uff5c\uff06\ufe60\uff04\ufe69\u2024\uff0e\u2026') {
      assert.equal(marks(`a${character}b`, { code: true }).length, 1, character);
    }
  });

  test('is not what people write', () => {
    for (const fine of [
      'café naïve Ærøskøbing',
      'Привет, мир! Он с ней, а оса и сок у нас.',
      'API-ключ, IT-отдел',
      'Ελληνικά και English',
      'שלום עולם · 日本語のREADME中文 · 한국어 · ไทย',
      '“Quoted” – it’s fine — really…',
      '5 m², 3 μm, Δt, №1, ™ ½',
      '你好，世界！（好）',
      'параметр α',
    ]) {
      assert.deepEqual(marks(fine), [], fine);
    }
  });
});

describe('pieces of any text', () => {
  test('joined are the text', () => {
    fc.assert(
      fc.property(text, options, (given, how) => {
        const pieces = textPieces(given, how);
        assert.equal(pieces.map(piece => piece.text).join(''), given);
        assert.ok(pieces.every(piece => piece.text !== ''));
      }),
      { numRuns: 3_000, seed: 7 },
    );
  });

  test('leave nothing hidden in what is plain', () => {
    fc.assert(
      fc.property(text, given => {
        const seen = visibleText(given);
        assert.equal(visibleText(seen), seen);
        if (isBlank(given)) assert.ok(isBlank(withoutHidden(given)));
      }),
      { numRuns: 3_000, seed: 7 },
    );
  });

  test('are one plain piece for ASCII', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (given, code) => {
        assert.deepEqual(textPieces(given, { code }), [{ kind: 'plain', text: given }]);
      }),
      { seed: 7 },
    );
  });
});
