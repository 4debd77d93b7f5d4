import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { dateText, moneyText, numberText, useLanguage } from '../../../src/base/language';

const TIME = Date.UTC(2026, 0, 31, 12);
const DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

afterEach(() => useLanguage('en', []));

/** By the language of the texts, and what the machine prefers. */
const WRITTEN: readonly [string, readonly string[], string, string][] = [
  ['en', ['de-DE'], '1,234.5', 'Jan 31'],
  ['en', ['de-DE', 'en-GB'], '1,234.5', '31 Jan'],
  ['de', ['en-US'], '1.234,5', '31. Jan.'],
  ['de', ['DE'], '1.234,5', '31. Jan.'],
  ['pt-br', ['pt-PT'], '1.234,5', '31 de jan.'],
  ['not a tag', [], '1,234.5', 'Jan 31'],
];

for (const [tag, preferred, number, date] of WRITTEN) {
  test(`numbers and dates of ${tag} where the machine prefers ${preferred.join()}`, () => {
    useLanguage(tag, preferred);
    assert.equal(numberText(1234.5, 1), number);
    assert.equal(dateText(TIME, DAY), date);
  });
}

test('digits are at most those asked for, or always', () => {
  assert.equal(numberText(2, 1), '2');
  assert.equal(numberText(2, 1, true), '2.0');
  assert.equal(numberText(1.25, 1), '1.3');
});

test('money is that of its currency', () => {
  assert.equal(moneyText(1.5, 'USD', 2), '$1.50');
  useLanguage('de', []);
  assert.equal(moneyText(1.5, 'EUR', 2).replace(/\s/u, ' '), '1,50 €');
  assert.throws(() => moneyText(1, 'credits', 2), RangeError);
});
