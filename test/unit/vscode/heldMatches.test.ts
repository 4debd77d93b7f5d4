import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Contents } from '../../../src/session/translate/contents';
import { heldMatches } from '../../../src/vscode/chats/heldMatches';

test('a text is counted in what is kept whole, as the search of the chat counts it', async () => {
  const contents = new Contents();
  const put = (text: string): string => contents.put(text, { kind: 'text', title: 't', text });
  const refs = [put('Needle, needle\nnee\u001b[31mdle'), put('a  needle\n in a.b needle'), 'gone'];
  const counted = async (text: string, isCase: boolean) =>
    (await heldMatches(contents, refs, text, isCase, new AbortController().signal)).map(
      ({ count }) => count,
    );
  assert.deepEqual(await counted('needle', false), [3, 2]);
  assert.deepEqual(await counted('needle', true), [2, 2]);
  assert.deepEqual(await counted('needle in', true), [0, 1]);
  assert.deepEqual(await counted('a.b', true), [0, 1]);
  assert.deepEqual(await counted('', true), []);
});
