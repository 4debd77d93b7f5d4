import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeTexts, takesBack } from '../../../src/vscode/files/mergeTexts';

const BASE = 'one\ntwo\nthree\nfour\n';

test('changes of different lines are put together, also of neighbors', () => {
  const agent = 'one\nTWO\nthree\nfour\nfive\n';
  const user = 'ONE\ntwo\nTHREE\nfour\n';
  assert.deepEqual(mergeTexts(BASE, agent, user), { text: 'ONE\nTWO\nTHREE\nfour\nfive\n' });
});

test('the same change of both is one', () => {
  const both = 'one\n2\nthree\nfour\n';
  assert.deepEqual(mergeTexts(BASE, both, both), { text: both });
});

test('changes of one line collide, and so do other lines put in at one place', () => {
  assert.deepEqual(mergeTexts(BASE, 'one\nzwei\nthree\nfour\n', 'one\ntwo!\nthree\nfour\n'), {
    line: 2,
  });
  assert.deepEqual(mergeTexts(BASE, `${BASE}agent\n`, `${BASE}user\n`), { line: 5 });
});

test('lines that were just written are taken back by who changes them, not by who writes beside them', () => {
  const written = 'one\ntwo\nnew\nthree\nfour\n';
  assert.equal(takesBack(BASE, written, 'one\ntwo\nNEW\nthree\nfour\n'), true);
  assert.equal(takesBack(BASE, written, BASE), true);
  assert.equal(takesBack(BASE, written, 'one\ntwo\nnew\nmine\nthree\nFOUR\n'), false);
});

/** Each line is kept, changed or removed, and may have others before it. */
const edits = (who: string) =>
  fc
    .array(
      fc.record({
        line: fc.constantFrom('keep', 'keep', 'keep', 'change', 'remove'),
        before: fc.constantFrom(0, 0, 0, 1, 2),
      }),
      { minLength: 8, maxLength: 8 },
    )
    .map(places => ({
      places,
      text: places
        .map(({ line, before }, index) => {
          const added = Array.from({ length: before }, (_, n) => `${who} adds ${index}.${n}\n`);
          if (line === 'change') added.push(`${who} changes ${index}\n`);
          return added.join('') + (line === 'keep' ? `base ${index}\n` : '');
        })
        .join(''),
    }));

test('whatever both do, a merge has every line that either added and none that either removed', () => {
  const base = Array.from({ length: 8 }, (_, index) => `base ${index}\n`).join('');
  fc.assert(
    fc.property(edits('agent'), edits('user'), (agent, user) => {
      const merge = mergeTexts(base, agent.text, user.text);
      if (!('text' in merge)) return;
      const lines = merge.text.split('\n');
      for (const line of [agent, user].flatMap(({ text }) => text.split('\n'))) {
        if (!line.startsWith('base')) assert.ok(lines.includes(line), line);
      }
      for (const [index] of agent.places.entries()) {
        const isKept = [agent, user].every(({ places }) => places[index]?.line === 'keep');
        assert.equal(lines.includes(`base ${index}`), isKept);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a merge is one side where the other did nothing, and names a line of the user where it is none', () => {
  const base = Array.from({ length: 8 }, (_, index) => `base ${index}\n`).join('');
  fc.assert(
    fc.property(edits('agent'), edits('user'), (agent, user) => {
      assert.deepEqual(mergeTexts(base, agent.text, base), { text: agent.text });
      assert.deepEqual(mergeTexts(base, base, user.text), { text: user.text });
      const merge = mergeTexts(base, agent.text, user.text);
      if ('line' in merge) assert.ok(merge.line >= 1 && merge.line <= user.text.split('\n').length);
    }),
  );
});
