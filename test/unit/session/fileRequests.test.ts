import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { FileError, type KnownText } from '../../../src/session/ports';
import { KnownTexts } from '../../../src/session/requests/knownTexts';
import { linesOf } from '../../../src/session/requests/linesOf';

test('lines are those from `line`, at most `limit`, with their endings', () => {
  const text = '1\n2\r\n3\n4';
  equal(linesOf(text, 2, 2), '2\r\n3\n');
  equal(linesOf(text, 3), '3\n4');
  equal(linesOf(text, null, 1), '1\n');
  equal(linesOf(text, 9, 3), '');
  equal(linesOf(text, 0, 0), '');
  equal(linesOf(text), text);
});

const known = (text: string): KnownText => ({ text, edits: 0 });
const refusal = new FileError('changedByUser', 'The user changed it.');

test('a write rests on what the agent last read or wrote', () => {
  const texts = new KnownTexts();
  equal(texts.basis('/a', 'new'), undefined);
  texts.set('/a', known('old'));
  deepEqual(texts.basis('/a', 'new'), known('old'));
  texts.failed('/a', 'new', new FileError('readOnly', 'no'));
  deepEqual(texts.basis('/a', 'newer'), known('old'));
});

test('a refused write is refused again, but an agent may read the file in its own way', () => {
  const texts = new KnownTexts();
  texts.set('/a', known('old'));
  texts.failed('/a', 'new', refusal);
  deepEqual(texts.basis('/a', 'new'), known('old'));
  equal(texts.basis('/a', 'made of what `cat` said'), undefined);
  texts.set('/a', known('read again'));
  deepEqual(texts.basis('/a', 'new'), known('read again'));
});

test('what is remembered is bounded: the texts used first go first', () => {
  const texts = new KnownTexts();
  const size = 10 * 1024 * 1024;
  const big = 'x'.repeat(size);
  for (const path of ['/1', '/2', '/3', '/4']) texts.set(path, known(big));
  equal(texts.basis('/1', ''), undefined);
  match(texts.basis('/4', '')?.text.slice(0, 1) ?? '', /x/);
});
