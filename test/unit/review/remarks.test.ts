import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hunk, PendingFile } from '../../../src/review/model';
import {
  keptRemarks,
  readRemarks,
  remarkedChange,
  remarksPrompt,
} from '../../../src/review/remarks';

const turn = (chatId: string) => ({ chatId, turnId: 't' });

function file(
  path: string,
  baseline: string,
  current: string,
  hunks: readonly Hunk[],
): PendingFile {
  return {
    path,
    change: 'modified',
    baseline: { kind: 'text', text: baseline },
    current: { kind: 'text', text: current },
    hunks,
    added: 0,
    removed: 0,
    turns: [],
  };
}

const changed: Hunk = {
  id: 'a',
  baseline: { start: 1, count: 1 },
  current: { start: 1, count: 2 },
  turns: [turn('first'), turn('last')],
};
const removed: Hunk = {
  id: 'b',
  baseline: { start: 2, count: 1 },
  current: { start: 3, count: 0 },
  turns: [],
};
const FILE = file('/w/a.ts', 'one\r\ntwo\r\nthree', 'one\r\nzwei\r\ndrei\r\n', [changed, removed]);
const nameOf = (path: string): string => path.replace('/w/', '');

describe('remarks about changes', () => {
  it('quote file, lines and change, in order of place', () => {
    const prompt = remarksPrompt(
      [
        { change: remarkedChange(FILE, removed), text: 'Why did you remove it?\n' },
        { change: remarkedChange(FILE, changed), text: 'Not in German.' },
        { change: remarkedChange(FILE, changed), text: 'Nor in French.' },
      ],
      nameOf,
    );
    assert.equal(
      prompt,
      [
        'I have comments on your changes:',
        '**a.ts, lines 2 to 3**',
        '```diff\n-two\n+zwei\n+drei\n```',
        'Not in German.',
        'Nor in French.',
        '**a.ts, lines removed after line 3**',
        '```diff\n-three\n```',
        'Why did you remove it?',
      ].join('\n\n'),
    );
  });

  it('know the chat that last worked on the change', () => {
    assert.equal(remarkedChange(FILE, changed).chatId, 'last');
    assert.equal(remarkedChange(FILE, removed).chatId, undefined);
  });

  it('quote no more than a screenful, and no fence that ends the quote', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
    lines[0] = '```';
    const long: Hunk = {
      id: 'c',
      baseline: { start: 0, count: 0 },
      current: { start: 0, count: 1000 },
      turns: [],
    };
    const change = remarkedChange(file('/w/b.md', '', lines.join('\n'), [long]), long);
    const prompt = remarksPrompt([{ change, text: 'Shorter, please.' }], nameOf);
    assert.match(prompt, /^I have a comment on your changes:\n\n\*\*b\.md, lines 1 to 1000\*\*/);
    assert.match(prompt, /\n````diff\n\+```\n/);
    assert.match(prompt, /\n\+line 59\n…\n````\n\nShorter, please\.$/);
  });

  it('are kept as plain JSON, and read again', () => {
    const remarks = [
      { change: remarkedChange(FILE, changed), text: 'Not in German.' },
      { change: remarkedChange(FILE, removed), text: 'Why?' },
    ];
    assert.deepEqual(readRemarks(JSON.parse(JSON.stringify(keptRemarks(remarks)))), remarks);
  });

  it('are kept within bounds, the latest', () => {
    const change = { ...remarkedChange(FILE, changed), patch: Array<string>(1_000).fill('+x') };
    const many = Array.from({ length: 200 }, (_, index) => ({
      change,
      text: `${index} ${'long '.repeat(10_000)}`,
    }));
    const kept = keptRemarks(many);
    assert.equal(kept.length, 100);
    assert.match(kept.at(-1)?.text ?? '', /^199 /);
    assert.ok(kept.every(({ text }) => text.length <= 20_000));
    assert.ok(kept.every(({ change: { patch } }) => patch.length <= 61));
  });

  it('that cannot be read are none', () => {
    const [good] = keptRemarks([{ change: remarkedChange(FILE, changed), text: 'Good.' }]);
    for (const bad of [undefined, null, 'text', {}, [null], [{}], [{ ...good, text: 1 }]]) {
      assert.deepEqual(readRemarks(bad), []);
    }
    const lines = { start: -1, count: 0.5 };
    assert.deepEqual(readRemarks([{ ...good, change: { ...good?.change, lines } }, good]), [good]);
  });

  it('say so when only line endings changed, which quoted lines would not', () => {
    const whole = { start: 0, count: 2 };
    const hunk: Hunk = { id: 'c', baseline: whole, current: whole, turns: [] };
    const crlf = file('/w/b.ts', 'one\ntwo\n', 'one\r\ntwo\r\n', [hunk]);
    assert.deepEqual(remarkedChange(crlf, hunk).patch, ['(line endings only: LF → CRLF)']);
  });
});
