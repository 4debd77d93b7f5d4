import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filesBelow } from '../../scripts/lib/files.mjs';
import { collectTexts } from '../../scripts/lib/l10nTexts.mjs';
import {
  checkTranslations,
  filesOf,
  languages,
  readTexts,
} from '../../scripts/lib/translations.mjs';

test('the bundle holds every text that users see, and no other (node scripts/l10n.mjs)', () => {
  const bundle = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')) as object;
  const kept = new Set(Object.keys(bundle));
  const used = new Set(Object.keys(collectTexts()));
  assert.deepEqual(
    {
      missing: [...used].filter(text => !kept.has(text)),
      stale: [...kept].filter(text => !used.has(text)),
    },
    { missing: [], stale: [] },
  );
});

test('numbers and dates are those of base/language, in the language of the texts', () => {
  const own = filesBelow(['src', 'webview'], '.ts').filter(
    file =>
      !file.endsWith('base/language.ts') &&
      /\.toLocale(?:Date|Time)?String\(|new Intl\.(?:Number|DateTime)/.test(
        readFileSync(file, 'utf8'),
      ),
  );
  assert.deepEqual(own, []);
});

test('each text names its places without a gap', () => {
  for (const text of Object.keys(collectTexts())) {
    const places = new Set([...text.matchAll(/\{(\d+)\}/g)].map(match => Number(match[1])));
    assert.deepEqual(
      [...places].sort(),
      [...places.keys()].map((_, index) => index),
      text,
    );
  }
});

for (const language of languages()) {
  for (const { file, english } of filesOf(language)) {
    test(`${file} translates every text, and no other (node scripts/l10n.mjs prints what it lacks)`, () => {
      assert.deepEqual(checkTranslations(language, english, readTexts(file)), {
        missing: [],
        stale: [],
        wrong: [],
      });
    });
  }
}

test('there is German', () => assert.ok(languages().includes('de')));

test('what is wrong with a translation is found', () => {
  const english = {
    a: 'Keep {0} of {1}',
    b: 'Plan',
    c: '[Open](command:x)',
    d: 'Done: ',
    e: 'Keep',
  };
  const good = {
    a: '{1}: {0} behalten',
    b: 'Plan',
    c: '[Auf](command:x)',
    d: 'Fertig: ',
    e: 'Halt',
  };
  assert.deepEqual(checkTranslations('de', english, good), { missing: [], stale: [], wrong: [] });
  const bad = { a: '{0} behalten', c: '[Auf](command:y)', d: 'Fertig:', e: 'Keep', f: 'alt' };
  assert.deepEqual(checkTranslations('de', english, bad), {
    missing: ['b'],
    stale: ['f'],
    wrong: [
      'a: has other placeholders, links or code',
      'c: has other placeholders, links or code',
      'd: has other spaces around it',
      'e: is not translated',
    ],
  });
});
