import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reduce } from '../../../src/session/state/reducer';
import { initialSession } from '../../../src/session/state/initialSession';
import { attachmentsOf, earlierMentions, mentionPieces } from '../../../src/session/state/mentions';
import type { Attachment } from '../../../src/session/state/state';

const of = (mention: string, id = mention): Attachment => ({
  id,
  kind: 'file',
  label: mention,
  title: mention,
  mention,
});
const a = of('@src/a.ts');
const parse = of('@src/a.ts#parse');
const folder = of('@src/');
const spaced = of('@my notes.md');
const ALL = [a, parse, folder, spaced];

describe('mentions in a text', () => {
  for (const [text, ...expected] of [
    ['see @src/a.ts', '@src/a.ts'],
    ['see @src/a.ts.', '@src/a.ts'],
    ['(@src/a.ts, @src/)', '@src/a.ts', '@src/'],
    ['see @src/a.ts#parse and @src/a.ts', '@src/a.ts#parse', '@src/a.ts'],
    ['@src/a.ts:', '@src/a.ts'],
    ['@my notes.md', '@my notes.md'],
    ['@src/a.tsx'],
    ['@src/a.ts-old'],
    ['@src/a.ts.map'],
    ['@src/b.ts'],
    ['me@src/a.ts'],
    ['src/a.ts'],
    [''],
  ] as const) {
    test(`"${text}" has ${expected.length === 0 ? 'none' : expected.join(' and ')}`, () => {
      const pieces = mentionPieces(text, ALL);
      assert.equal(pieces.map(piece => piece.text).join(''), text);
      assert.deepEqual(
        pieces.flatMap(({ attachment }) => attachment?.mention ?? []),
        expected,
      );
    });
  }
});

describe('what goes along with a text', () => {
  const image: Attachment = { id: 'i', kind: 'image', label: 'i', title: 'i' };

  test('is what is attached by itself, and what is mentioned now', () => {
    assert.deepEqual(attachmentsOf('@src/a.ts', [image, a, folder], []), [image, a]);
    assert.deepEqual(attachmentsOf('', [image, a], []), [image]);
  });

  test('an earlier mention means the same again, unless the word means something else by now', () => {
    const other = of('@src/a.ts', 'other');
    assert.deepEqual(attachmentsOf('@src/a.ts', [], [a, folder]), [a]);
    assert.deepEqual(attachmentsOf('@src/a.ts', [other], [a]), [other]);
  });

  test('of earlier mentions of a word the latest counts', () => {
    const state = initialSession({ chatId: 'c', agentName: 'Ada', cwd: '/', at: 0 });
    const later = of('@src/a.ts', 'later');
    const turn = (id: string, attachments: readonly Attachment[]) => ({
      id,
      prompt: { id, text: '', attachments },
      parts: [],
      startedAt: 0,
    });
    const turns = [turn('1', [a, image]), turn('2', [later])];
    const queue = [{ id: 'q', text: '', attachments: [folder] }];
    assert.deepEqual(earlierMentions({ ...state, turns, queue }), [later, folder]);
  });

  test('what was in the terminal and the problems that were are not meant again', () => {
    const state = initialSession({ chatId: 'c', agentName: 'Ada', cwd: '/', at: 0 });
    const passing = (['terminal', 'problems'] as const).map(kind => ({ ...of(`@${kind}`), kind }));
    const queue = [{ id: 'q', text: '', attachments: [...passing, a] }];
    const earlier = earlierMentions({ ...state, queue });
    assert.deepEqual(attachmentsOf('@terminal @problems @src/a.ts', [], earlier), [a]);
  });

  test('what goes with a prompt that is being changed goes with no other', () => {
    const pasted = { ...image, id: 'pasted', forTurn: 't1' };
    assert.deepEqual(attachmentsOf('', [image, pasted], []), [image]);
    assert.deepEqual(attachmentsOf('', [image, pasted], [], 't2'), [image]);
    assert.deepEqual(attachmentsOf('', [image, pasted], [], 't1'), [image, pasted]);
  });

  test('a word of the draft stands for one thing: the latest chosen', () => {
    const state = initialSession({ chatId: 'c', agentName: 'Ada', cwd: '/', at: 0 });
    const attached = [image, a, folder, of('@src/a.ts', 'again')].reduce(
      (chat, attachment) => reduce(chat, { type: 'attachmentAdded', attachment }),
      state,
    );
    assert.deepEqual(
      attached.draft.attachments.map(({ id }) => id),
      ['i', '@src/', 'again'],
    );
  });
});
