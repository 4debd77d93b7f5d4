/** What holds for the ledger whatever the texts are: line endings, repeated lines, no last newline, nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitLines } from '../../../src/review/core/lines';
import {
  agentChanged,
  committed,
  currentOf,
  EMPTY_LEDGER,
  keep,
  pendingAt,
  pendingFiles,
  redo,
  undo,
  userChanged,
  type Ledger,
} from '../../../src/review/core/ledger';
import type { FileContent, Hunk, PendingFile, ReviewTarget } from '../../../src/review/model';
import { applied, parsed } from './ledgers';

const ALL: ReviewTarget = { kind: 'all' };
const PATHS = ['/work/a', '/work/b'];
const ABSENT: FileContent = { kind: 'absent' };

const line = fc.constantFrom('a', 'b', 'ü', '🦜 x', '', '}', '\r', 'long '.repeat(9));
const ending = fc.constantFrom('\n', '\n', '\r\n');
const text = fc
  .tuple(fc.array(fc.tuple(line, ending).map(parts => parts.join(''))), fc.option(line))
  .map(([lines, last]) => lines.join('') + (last ?? ''));
const content: fc.Arbitrary<FileContent> = fc.oneof(
  { weight: 8, arbitrary: text.map(value => ({ kind: 'text' as const, text: value })) },
  { weight: 1, arbitrary: fc.constant(ABSENT) },
  { weight: 1, arbitrary: fc.constant({ kind: 'binary' as const, hash: 'h', bytes: 3 }) },
);
const step = fc.record({
  path: fc.constantFrom(...PATHS),
  content,
  turn: fc.constantFrom('1', '2'),
  at: fc.nat({ max: 5 }),
  do: fc.constantFrom('agent', 'agent', 'user', 'keep', 'undo', 'redo', 'reload', 'commit'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class World {
  ledger: Ledger = EMPTY_LEDGER;
  readonly disk = new Map<string, FileContent>();

  take({ do: what, path, content, turn, at }: Step): void {
    const before = this.disk.get(path) ?? ABSENT;
    switch (what) {
      case 'agent':
        this.disk.set(path, content);
        this.ledger = agentChanged(this.ledger, path, before, content, {
          chatId: 'c',
          turnId: turn,
        });
        return;
      case 'user': {
        const wasPending = pendingAt(this.ledger, path) !== undefined;
        this.disk.set(path, content);
        this.ledger = userChanged(this.ledger, path, content);
        if (!wasPending) assert.equal(pendingAt(this.ledger, path), undefined);
        return;
      }
      case 'keep':
      case 'undo':
        return this.decide(what, path, at);
      case 'redo':
        return this.carryOut(applied(this.ledger, redo(this.ledger).steps));
      case 'reload':
        this.ledger = parsed(this.ledger);
        return;
      case 'commit':
        this.ledger = committed(this.ledger, path, before);
        assert.equal(pendingAt(this.ledger, path), undefined, 'what is committed is kept');
    }
  }

  /** What must hold at every moment. */
  check(): void {
    for (const file of pendingFiles(this.ledger)) {
      assert.deepEqual(file.current, this.disk.get(file.path) ?? ABSENT);
      checkHunks(file);
    }
    const kept = applied(this.ledger, keep(this.ledger, ALL));
    assert.deepEqual([kept.writes, pendingFiles(kept.ledger)], [[], []]);
    const undone = applied(this.ledger, undo(this.ledger, ALL));
    assert.deepEqual(pendingFiles(undone.ledger), []);
    for (const file of pendingFiles(this.ledger)) {
      const origin = file.renamedFrom ?? file.path;
      const write = undone.writes.find(({ path }) => path === origin);
      assert.deepEqual(write?.to, file.baseline);
    }
    const back = applied(undone.ledger, redo(undone.ledger).steps);
    const same = (files: readonly PendingFile[]) =>
      files.map(file => [file.path, file.hunks, file.current]);
    if (undone.writes.length > 0) {
      assert.deepEqual(same(pendingFiles(back.ledger)), same(pendingFiles(this.ledger)));
    }
  }

  private decide(what: 'keep' | 'undo', path: string, at: number): void {
    const file = pendingAt(this.ledger, path);
    const hunk = file?.hunks[at % file.hunks.length];
    const decision = what === 'keep' ? keep : undo;
    if (!file || !hunk) {
      return this.carryOut(applied(this.ledger, decision(this.ledger, { kind: 'file', path })));
    }
    const steps = decision(this.ledger, { kind: 'hunk', path, hunkId: hunk.id });
    this.carryOut(applied(this.ledger, steps));
    const now = currentOf(this.ledger, path) ?? this.disk.get(path);
    if (what === 'keep') assert.deepEqual(this.disk.get(path) ?? ABSENT, file.current);
    else if (now?.kind === 'text') assert.equal(now.text, withoutHunk(file, hunk));
    const others = file.hunks.length - 1;
    assert.equal(pendingAt(this.ledger, path)?.hunks.length ?? 0, others, 'the others stay');
  }

  private carryOut({ ledger, writes }: ReturnType<typeof applied>): void {
    for (const { path, from, to } of writes) {
      assert.deepEqual(from, this.disk.get(path) ?? ABSENT, 'it writes over what is there');
      this.disk.set(path, to);
    }
    this.ledger = ledger;
  }
}

function linesOf(content: FileContent): readonly string[] {
  return content.kind === 'text' ? splitLines(content.text) : [];
}

function checkHunks({ hunks, baseline, current }: PendingFile): void {
  const before = linesOf(baseline);
  const after = linesOf(current);
  if (baseline.kind === 'binary' || current.kind === 'binary') {
    assert.deepEqual(hunks, []);
    return;
  }
  assert.equal(new Set(hunks.map(({ id }) => id)).size, hunks.length, 'ids differ');
  const result: string[] = [];
  let taken = 0;
  for (const { baseline: from, current: to } of hunks) {
    assert.ok(from.start >= taken, 'hunks ascend and do not overlap');
    result.push(...before.slice(taken, from.start));
    assert.equal(result.length, to.start);
    result.push(...after.slice(to.start, to.start + to.count));
    taken = from.start + from.count;
  }
  result.push(...before.slice(taken));
  assert.deepEqual(result, after, 'the hunks lead from the baseline to what is there');
}

/** The file with that hunk's baseline in its place, and nothing else changed. */
function withoutHunk({ baseline, current }: PendingFile, hunk: Hunk): string {
  const { start, count } = hunk.current;
  const lines = linesOf(current);
  const old = linesOf(baseline).slice(
    hunk.baseline.start,
    hunk.baseline.start + hunk.baseline.count,
  );
  return [...lines.slice(0, start), ...old, ...lines.slice(start + count)].join('');
}

test('decisions change what they name and nothing else, whatever the texts', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), steps => {
      const world = new World();
      for (const step of steps) {
        world.take(step);
        world.check();
      }
    }),
    { numRuns: 10_000, seed: 4 },
  );
});

test('an edit outside the hunks is the same before and after all is undone', () => {
  fc.assert(
    fc.property(text, text, text, (head, before, after) => {
      // Numbered lines around the hunk, so that it is clear where the edit is.
      const frame = (top: string, inner: string) => `1\n2\n${top}3\n4\n${inner}\n5\n`;
      const of = (value: string): FileContent => ({ kind: 'text', text: value });
      const turn = { chatId: 'c', turnId: '1' };
      let ledger = agentChanged(
        EMPTY_LEDGER,
        PATHS[0] ?? '',
        of(frame('', before)),
        of(frame('', after)),
        turn,
      );
      const top = head === '' || head.endsWith('\n') ? head : `${head}\n`;
      ledger = userChanged(ledger, PATHS[0] ?? '', of(frame(top, after)));
      const { writes } = applied(ledger, undo(ledger, ALL));
      if (before === after) assert.deepEqual(writes, []);
      else assert.deepEqual(writes[0]?.to, of(frame(top, before)));
    }),
    { numRuns: 3_000, seed: 4 },
  );
});
