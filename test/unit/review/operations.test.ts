/** Each thing that happens to a file under review, one at a time, in texts short enough to read. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  agentChanged,
  committed,
  currentOf,
  EMPTY_LEDGER,
  keep,
  pendingAt,
  pendingFiles,
  redo,
  settled,
  undo,
  userChanged,
  type Ledger,
} from '../../../src/review/core/ledger';
import type { FileContent, PendingFile, ReviewTarget } from '../../../src/review/model';
import { applied } from './ledgers';

const FILE = '/work/a.txt';
const OTHER = '/work/b.txt';
const ABSENT: FileContent = { kind: 'absent' };
const FIRST = { chatId: 'chat', turnId: 'first' };
const SECOND = { chatId: 'chat', turnId: 'second' };
const ELSEWHERE = { chatId: 'elsewhere', turnId: 'third' };

const text = (value: string): FileContent => ({ kind: 'text', text: value });
/** A letter for each line. */
const lines = (letters: string): FileContent => text([...letters].map(one => `${one}\n`).join(''));
const letters = (content: FileContent | undefined): string | undefined =>
  content?.kind === 'text' ? content.text.replaceAll('\n', '') : content?.kind;

const changed = (
  before: string,
  after: string,
  turn = FIRST,
  ledger: Ledger = EMPTY_LEDGER,
): Ledger => agentChanged(ledger, FILE, lines(before), lines(after), turn);
const file = (ledger: Ledger, path = FILE): PendingFile =>
  pendingAt(ledger, path) ?? assert.fail('nothing is pending');
const hunk = (ledger: Ledger, index: number): ReviewTarget => ({
  kind: 'hunk',
  path: FILE,
  hunkId: file(ledger).hunks[index]?.id ?? assert.fail('there is no such hunk'),
});
const kept = (ledger: Ledger, target: ReviewTarget): Ledger =>
  applied(ledger, keep(ledger, target)).ledger;
const undone = (ledger: Ledger, target: ReviewTarget): Ledger =>
  applied(ledger, undo(ledger, target)).ledger;
const broughtBack = (ledger: Ledger): Ledger => applied(ledger, redo(ledger).steps).ledger;
const sides = (ledger: Ledger): readonly (string | undefined)[] => [
  letters(file(ledger).baseline),
  letters(file(ledger).current),
];
const WHOLE: ReviewTarget = { kind: 'file', path: FILE };

describe('edits of the user', () => {
  it('outside the hunks are in the baseline too', () => {
    const ledger = userChanged(changed('abcdef', 'abXdef'), FILE, lines('abXdeMf'));
    assert.deepEqual(sides(ledger), ['abcdeMf', 'abXdeMf']);
  });

  it('inside a hunk are part of it', () => {
    const ledger = userChanged(changed('abcd', 'abXYZcd'), FILE, lines('abXMZcd'));
    assert.deepEqual(sides(ledger), ['abcd', 'abXMZcd']);
    assert.equal(file(ledger).hunks.length, 1);
  });

  it('right above and below a hunk are not part of it', () => {
    const ledger = userChanged(changed('abcd', 'abXcd'), FILE, lines('abMXNcd'));
    assert.deepEqual(applied(ledger, undo(ledger, WHOLE)).writes, [
      { path: FILE, from: lines('abMXNcd'), to: lines('abMNcd') },
    ]);
  });

  it('across the edge of a hunk take the lines outside it along', () => {
    const ledger = userChanged(changed('abcd', 'aXYcd'), FILE, lines('aXd'));
    assert.deepEqual(sides(ledger), ['abd', 'aXd']);
  });

  it('that put the baseline back by hand leave nothing pending', () => {
    const ledger = userChanged(changed('abc', 'aXc'), FILE, lines('abc'));
    assert.deepEqual(pendingFiles(ledger), []);
  });

  it("in files that no agent touched are nobody else's business", () => {
    assert.equal(userChanged(EMPTY_LEDGER, FILE, lines('x')), EMPTY_LEDGER);
  });
});

describe('decisions', () => {
  it('about a hunk leave the others as they are', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    assert.deepEqual(sides(kept(ledger, hunk(ledger, 0))), ['aXcdefg', 'aXcdeYg']);
    assert.deepEqual(sides(undone(ledger, hunk(ledger, 1))), ['abcdefg', 'aXcdefg']);
  });

  it('about a turn or a chat take the hunks that it has a part in', () => {
    const both = changed('', 'aXcdeYg', SECOND, changed('abcdefg', 'aXcdefg'));
    const ledger = agentChanged(both, FILE, undefined, lines('aXcdeYgZ'), ELSEWHERE);
    const turns = file(ledger).hunks.map(one => one.turns.map(({ turnId }) => turnId));
    assert.deepEqual(turns, [['first'], ['second'], ['third']]);
    const first = kept(ledger, { kind: 'turn', turn: FIRST });
    assert.deepEqual(sides(first), ['aXcdefg', 'aXcdeYgZ']);
    const chat = undone(ledger, { kind: 'chat', chatId: 'chat' });
    assert.deepEqual(sides(chat), ['abcdefg', 'abcdefgZ']);
  });

  it('about what is not there any more do nothing', () => {
    const ledger = changed('abc', 'aXc');
    const stale = hunk(ledger, 0);
    const next = changed('', 'aYc', SECOND, ledger);
    assert.deepEqual(keep(next, stale), []);
    assert.deepEqual(undo(next, stale), []);
    assert.deepEqual(keep(next, { kind: 'file', path: OTHER }), []);
  });

  it('leave no trace of a turn in a hunk that was kept when another turn changes it again', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    const [first] = file(ledger).hunks;
    const target = { kind: 'hunk', path: FILE, hunkId: first?.id ?? '' } as const;
    const kept = applied(ledger, keep(ledger, target)).ledger;
    const again = changed('aXcdeYg', 'aZcdeYg', SECOND, kept);
    assert.deepEqual(
      file(again).hunks.map(({ turns }) => turns),
      [[SECOND], [FIRST]],
    );
  });

  it('go file by file, so that one that cannot be written stays pending', () => {
    const one = changed('abc', 'aXc');
    const ledger = agentChanged(one, OTHER, lines('abc'), lines('aYc'), FIRST);
    const steps = undo(ledger, { kind: 'all' }).filter(({ path }) => path === FILE);
    assert.deepEqual(
      pendingFiles(applied(ledger, steps).ledger).map(({ path }) => path),
      [OTHER],
    );
  });

  it('cannot undo what nobody knows the baseline of, only keep it', () => {
    const ledger = agentChanged(EMPTY_LEDGER, FILE, undefined, lines('abc'), FIRST);
    assert.equal(file(ledger).baselineUnknown, true);
    assert.deepEqual(undo(ledger, WHOLE), []);
    assert.deepEqual(pendingFiles(kept(ledger, WHOLE)), []);
  });
});

describe('the id of a hunk', () => {
  it('stays when lines above come and go, and when other hunks are decided', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    const { id } = file(ledger).hunks[1] ?? assert.fail();
    const moved = userChanged(ledger, FILE, lines('MMaXcdeYg'));
    assert.equal(file(moved).hunks[1]?.id, id);
    assert.equal(file(kept(moved, hunk(moved, 0))).hunks[0]?.id, id);
    assert.equal(file(undone(moved, hunk(moved, 0))).hunks[0]?.id, id);
  });

  it('is another when the hunk says something else', () => {
    const ledger = changed('abc', 'aXc');
    const next = changed('', 'aYc', SECOND, ledger);
    assert.notEqual(file(next).hunks[0]?.id, file(ledger).hunks[0]?.id);
  });

  it('differs between twins', () => {
    const [one, other] = file(changed('abcabc', 'aXcaXc')).hunks;
    assert.notEqual(one?.id, other?.id);
  });
});

describe('an undo', () => {
  it('can be taken back after edits elsewhere', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    const next = userChanged(undone(ledger, hunk(ledger, 1)), FILE, lines('MaXcdefgN'));
    const back = broughtBack(next);
    assert.deepEqual(sides(back), ['MabcdefgN', 'MaXcdeYgN']);
    assert.deepEqual(file(back).hunks[1]?.turns, [FIRST]);
  });

  it('can be taken back between lines that were written right above and below it', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    const next = userChanged(undone(ledger, hunk(ledger, 1)), FILE, lines('aXcdeMfNg'));
    assert.deepEqual(sides(broughtBack(next)), ['abcdeMfNg', 'aXcdeMYNg']);
  });

  it('that took lines out puts them back where they were', () => {
    const ledger = changed('abcd', 'abXYcd');
    const next = userChanged(undone(ledger, hunk(ledger, 0)), FILE, lines('Mabcd'));
    assert.deepEqual(sides(broughtBack(next)), ['Mabcd', 'MabXYcd']);
  });

  it('cannot when those very lines have changed since', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    const next = userChanged(undone(ledger, hunk(ledger, 1)), FILE, lines('aXcdeMg'));
    const { steps, impossible } = redo(next);
    assert.deepEqual([steps, impossible], [[], [FILE]]);
  });

  it('can be taken back one after the other, the latest first', () => {
    const ledger = changed('abcdefg', 'aXcdeYg');
    const first = undone(ledger, hunk(ledger, 0));
    const both = undone(first, hunk(first, 0));
    assert.deepEqual(pendingFiles(both), []);
    assert.deepEqual(sides(broughtBack(both)), ['abcdefg', 'abcdeYg']);
    assert.deepEqual(sides(broughtBack(broughtBack(both))), ['abcdefg', 'aXcdeYg']);
  });
});

describe('whole files', () => {
  it('that were created go away with an undo and come back', () => {
    const ledger = agentChanged(EMPTY_LEDGER, FILE, ABSENT, lines('ab'), FIRST);
    assert.equal(file(ledger).change, 'created');
    const { ledger: gone, writes } = applied(ledger, undo(ledger, WHOLE));
    assert.deepEqual(writes, [{ path: FILE, from: lines('ab'), to: ABSENT }]);
    assert.equal(file(broughtBack(gone)).change, 'created');
  });

  it('that were created keep the lines that the user wrote into them', () => {
    const ledger = agentChanged(EMPTY_LEDGER, FILE, ABSENT, lines('ab'), FIRST);
    const edited = userChanged(ledger, FILE, lines('abM'));
    assert.equal(letters(file(edited).baseline), 'M');
  });

  it('that were deleted are restored by an undo', () => {
    const ledger = agentChanged(EMPTY_LEDGER, FILE, lines('ab'), ABSENT, FIRST);
    assert.equal(file(ledger).change, 'deleted');
    assert.deepEqual(applied(ledger, undo(ledger, WHOLE)).writes, [
      { path: FILE, from: ABSENT, to: lines('ab') },
    ]);
  });

  it('are decided on as a whole when they are no text', () => {
    const binary = (hash: string): FileContent => ({ kind: 'binary', hash, bytes: 4 });
    const ledger = agentChanged(EMPTY_LEDGER, FILE, binary('a'), binary('b'), FIRST);
    assert.deepEqual(file(ledger).hunks, []);
    assert.deepEqual(file(ledger).turns, [FIRST]);
    assert.deepEqual(applied(ledger, undo(ledger, WHOLE)).writes, [
      { path: FILE, from: binary('b'), to: binary('a') },
    ]);
  });

  for (const order of ['deleted first', 'created first']) {
    it(`that moved in one turn are one renamed file: ${order}`, () => {
      const halves = [
        (ledger: Ledger) => agentChanged(ledger, FILE, lines('abcdef'), ABSENT, FIRST),
        (ledger: Ledger) => agentChanged(ledger, OTHER, ABSENT, lines('abcdeX'), FIRST),
      ];
      if (order === 'created first') halves.reverse();
      const ledger = halves.reduce((now, half) => half(now), EMPTY_LEDGER);
      assert.deepEqual(
        pendingFiles(ledger).map(({ path, change, renamedFrom }) => [path, change, renamedFrom]),
        [[OTHER, 'renamed', FILE]],
      );
      const { writes } = applied(ledger, undo(ledger, { kind: 'all' }));
      assert.deepEqual(writes, [
        { path: FILE, from: ABSENT, to: lines('abcdef') },
        { path: OTHER, from: lines('abcdeX'), to: ABSENT },
      ]);
    });
  }

  it('are no rename any more when the user brings back what was moved', () => {
    const gone = agentChanged(EMPTY_LEDGER, FILE, lines('abcdef'), ABSENT, FIRST);
    const moved = agentChanged(gone, OTHER, ABSENT, lines('abcdef'), FIRST);
    assert.deepEqual(currentOf(moved, FILE), ABSENT);
    for (const back of [userChanged, settled]) {
      const ledger = back(moved, FILE, lines('mine'));
      assert.deepEqual(
        pendingFiles(ledger).map(({ path, change }) => [path, change]),
        [[OTHER, 'created']],
      );
      const { writes } = applied(ledger, undo(ledger, { kind: 'all' }));
      assert.deepEqual(writes, [{ path: OTHER, from: lines('abcdef'), to: ABSENT }]);
    }
  });

  it("are the user's where the user makes one that an agent has deleted", () => {
    const gone = agentChanged(EMPTY_LEDGER, FILE, lines('abc'), ABSENT, FIRST);
    assert.deepEqual(pendingFiles(userChanged(gone, FILE, lines('mine'))), []);
  });

  it('that were binary are so again, whatever the user writes in what an agent made of them', () => {
    const binary: FileContent = { kind: 'binary', hash: 'b'.repeat(64), bytes: 3 };
    const made = agentChanged(EMPTY_LEDGER, FILE, binary, lines('abc'), FIRST);
    const ledger = userChanged(made, FILE, lines('abXc'));
    const { writes } = applied(ledger, undo(ledger, { kind: 'all' }));
    assert.deepEqual(writes, [{ path: FILE, from: lines('abXc'), to: binary }]);
  });

  it('are no rename when another turn made the second half', () => {
    const gone = agentChanged(EMPTY_LEDGER, FILE, lines('abcdef'), ABSENT, FIRST);
    const ledger = agentChanged(gone, OTHER, ABSENT, lines('abcdef'), SECOND);
    assert.deepEqual(
      pendingFiles(ledger).map(({ change }) => change),
      ['deleted', 'created'],
    );
  });
});

describe('git', () => {
  it('keeps by a commit the hunks that are in it', () => {
    const ledger = committed(changed('abcdefg', 'aXcdeYg'), FILE, lines('aXcdefg'));
    assert.deepEqual(sides(ledger), ['aXcdefg', 'aXcdeYg']);
    assert.deepEqual(pendingFiles(committed(ledger, FILE, lines('aXcdeYg'))), []);
  });

  it('settles by a checkout all that it put there', () => {
    assert.deepEqual(pendingFiles(settled(changed('abc', 'aXc'), FILE, lines('other'))), []);
  });
});

describe('what was undone and comes back in the editor', () => {
  const ledger = changed('abcdefgh', 'aXcdeYZfgh');

  it('is to be decided again, hunk by hunk, the latest first or not', () => {
    const one = undone(ledger, hunk(ledger, 0));
    const none = undone(one, hunk(one, 0));
    assert.equal(pendingAt(none, FILE), undefined);
    for (const [first, expected] of [
      ['aXcdefgh', ['abcdefgh', 'aXcdefgh']],
      ['abcdeYZfgh', ['abcdefgh', 'abcdeYZfgh']],
    ] as const) {
      const back = userChanged(none, FILE, lines(first));
      assert.deepEqual(sides(back), expected);
      const all = userChanged(back, FILE, lines('aXcdeYZfgh'));
      assert.deepEqual(file(all), file(ledger));
      assert.deepEqual(all.undos, []);
    }
  });

  it('also as a whole file, and with several hunks of one undo', () => {
    for (const none of [
      undone(ledger, WHOLE),
      undone(ledger, { kind: 'turn', turn: FIRST }),
      undone(ledger, { kind: 'all' }),
    ]) {
      const back = userChanged(none, FILE, lines('aXcdeYZfgh'));
      assert.deepEqual(file(back), file(ledger));
      assert.deepEqual(back.undos, []);
    }
  });

  it('while other edits of the user come, or go', () => {
    const typed = userChanged(ledger, FILE, lines('aXcdeYZfghI'));
    const none = undone(typed, hunk(typed, 1));
    assert.deepEqual(sides(userChanged(none, FILE, lines('aXcdeYZfgh'))), [
      'abcdefgh',
      'aXcdeYZfgh',
    ]);
    assert.deepEqual(sides(userChanged(none, FILE, lines('MaXcdeYZfghI'))), [
      'MabcdefghI',
      'MaXcdeYZfghI',
    ]);
  });

  it('but not what is like it elsewhere, nor what the user takes out or leaves empty', () => {
    const none = undone(ledger, hunk(ledger, 1));
    assert.deepEqual(sides(userChanged(none, FILE, lines('aXcdefgYZh'))), [
      'abcdefgYZh',
      'aXcdefgYZh',
    ]);
    const deleted = changed('abc', 'ac');
    assert.equal(
      pendingAt(userChanged(undone(deleted, hunk(deleted, 0)), FILE, lines('ac')), FILE),
      undefined,
    );
    const spaced = changed('abc', 'ab c');
    assert.equal(
      pendingAt(userChanged(undone(spaced, hunk(spaced, 0)), FILE, lines('ab c')), FILE),
      undefined,
    );
  });
});
