import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { copiedBy } from '../../../src/vscode/mentions/copiedBy';

/** A clipboard in which `what` is, and commands that copy their own name, or nothing. */
function clipboard(what: { readonly text: string } | { readonly image: string }) {
  const held: { text: string; image?: string } = { text: '', ...what };
  const writeText = async (text: string) => {
    await later();
    held.text = text;
    delete held.image;
  };
  const readText = async () => {
    await later();
    return held.text;
  };
  const run = async (command: string) => (command === 'nothing' ? later() : writeText(command));
  return { held, copied: copiedBy({ readText, writeText }, run) };
}

describe('what a command copies', () => {
  test('is its own, also when two are asked for at once; the text of the user is put back', async () => {
    const { held, copied } = clipboard({ text: 'mine' });
    assert.deepEqual(await Promise.all(['first', 'nothing', 'second', 'first'].map(copied)), [
      'first',
      '',
      'second',
      'first',
    ]);
    assert.deepEqual(held, { text: 'mine' });
  });

  test('is nothing where nothing is copied, and an image stays', async () => {
    const { held, copied } = clipboard({ image: 'a lamp' });
    assert.equal(await copied('nothing'), '');
    assert.deepEqual(held, { text: '', image: 'a lamp' });
  });

  test('is not replaced by nothing where there was no text', async () => {
    const { held, copied } = clipboard({ text: '' });
    assert.equal(await copied('output'), 'output');
    assert.equal(held.text, 'output');
  });

  test('comes also after a command that failed', async () => {
    const held = { text: 'mine' };
    const copied = copiedBy(
      {
        readText: () => Promise.resolve(held.text),
        writeText: text => Promise.resolve(void (held.text = text)),
      },
      command => (command === 'fails' ? Promise.reject(new Error(command)) : Promise.resolve()),
    );
    const failed = copied('fails');
    const next = copied('nothing');
    await assert.rejects(failed, /fails/);
    assert.equal(await next, '');
    assert.equal(held.text, 'mine');
  });
});
