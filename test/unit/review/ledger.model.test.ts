/** The ledger against the model of `lineModel.ts` over random histories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  agentChanged,
  committed,
  EMPTY_LEDGER,
  keep,
  pendingAt,
  redo,
  undo,
  userChanged,
  type Ledger,
} from '../../../src/review/core/ledger';
import type { FileContent, ReviewTarget } from '../../../src/review/model';
import { applied, parsed } from './ledgers';
import * as model from './lineModel';
import type { Line } from './lineModel';

const SEQUENCES = 20_000;
const PATH = '/work/file.txt';
const TURNS = [
  { chatId: 'a', turnId: '1' },
  { chatId: 'b', turnId: '2' },
];

type Step =
  | { readonly do: 'agent'; readonly at: number; readonly remove: number; readonly add: number }
  | { readonly do: 'insert'; readonly at: number; readonly add: number }
  | { readonly do: 'delete'; readonly at: number; readonly remove: number }
  | { readonly do: 'keep' | 'undo' | 'redo' | 'commit'; readonly at: number }
  | { readonly do: 'reload' | 'save' };

const place = fc.nat({ max: 12 });
const few = fc.integer({ min: 1, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('agent' as const),
    at: place,
    remove: fc.nat({ max: 3 }),
    add: fc.nat({ max: 3 }),
  }),
  fc.record({ do: fc.constant('insert' as const), at: place, add: few }),
  fc.record({ do: fc.constant('delete' as const), at: place, remove: few }),
  fc.record({ do: fc.constantFrom('keep', 'undo', 'redo', 'commit'), at: place }),
  fc.record({ do: fc.constantFrom('reload', 'save') }),
);

/** A file, the ledger that reviews it, and what the model says of both. */
class World {
  ledger: Ledger = EMPTY_LEDGER;
  lines: readonly Line[];
  private written = 0;

  constructor(size: number) {
    this.lines = this.fresh(size).map(text => ({ text, before: true, now: true }));
  }

  take(step: Step): void {
    switch (step.do) {
      case 'agent':
        return this.agent(step.at, step.remove, step.add);
      case 'insert':
        return this.user(model.userInserts(this.lines, step.at, this.fresh(step.add)));
      case 'delete':
        return this.user(model.userDeletes(this.lines, step.at, step.remove));
      case 'keep':
      case 'undo':
        return this.decide(step.do, step.at);
      case 'redo':
        return this.undoAndRedo(step.at);
      case 'commit':
        return this.commit(step.at);
      case 'reload':
        this.ledger = parsed(this.ledger);
        return;
      case 'save':
        this.ledger = userChanged(this.ledger, PATH, this.now());
    }
  }

  check(): void {
    const file = pendingAt(this.ledger, PATH);
    const hunks = model.hunksIn(this.lines);
    assert.equal(file?.hunks.length ?? 0, hunks.length, 'as many hunks as the model has');
    if (!file) return;
    assert.deepEqual(file.current, this.now());
    assert.deepEqual(file.baseline, this.before());
    for (const hunk of file.hunks) assert.ok(hunk.turns.length > 0, 'every hunk has its turn');
    const kept = applied(this.ledger, keep(this.ledger, ALL));
    assert.deepEqual(kept.writes, [], 'keeping all writes nothing');
    assert.equal(pendingAt(kept.ledger, PATH), undefined);
    const undone = applied(this.ledger, undo(this.ledger, ALL));
    assert.deepEqual(undone.writes, [{ path: PATH, from: this.now(), to: this.before() }]);
    assert.equal(pendingAt(undone.ledger, PATH), undefined);
  }

  private agent(at: number, remove: number, add: number): void {
    const before = this.now();
    this.lines = model.agentReplaces(this.lines, at, remove, this.fresh(add));
    const turn = TURNS[at % 2] ?? TURNS[0];
    if (turn) this.ledger = agentChanged(this.ledger, PATH, before, this.now(), turn);
  }

  private user(lines: readonly Line[]): void {
    this.lines = lines;
    this.ledger = userChanged(this.ledger, PATH, this.now());
  }

  private decide(decision: 'keep' | 'undo', at: number): void {
    const target = this.target(at);
    if (!target) return;
    const { hunk } = target;
    const steps = (decision === 'keep' ? keep : undo)(this.ledger, target);
    this.ledger = applied(this.ledger, steps).ledger;
    const stays = (line: Line) => (decision === 'keep' ? line.now : line.before);
    this.lines = model.decided(this.lines, new Set(hunk), stays);
  }

  private undoAndRedo(at: number): void {
    const target = this.target(at);
    if (!target) return;
    const before = pendingAt(this.ledger, PATH);
    const undone = applied(this.ledger, undo(this.ledger, target)).ledger;
    const { steps, impossible } = redo(undone);
    assert.deepEqual(impossible, []);
    this.ledger = applied(undone, steps).ledger;
    assert.deepEqual(pendingAt(this.ledger, PATH)?.hunks, before?.hunks);
  }

  /** A commit of every other hunk, or of all. */
  private commit(at: number): void {
    const hunks = model.hunksIn(this.lines);
    const chosen = new Set(hunks.filter((_, index) => at % 3 === 0 || index % 2 === 0).flat());
    const content = this.lines.filter(line => (chosen.has(line) ? line.now : line.before));
    this.ledger = committed(this.ledger, PATH, textOf(content));
    this.lines = model.decided(this.lines, chosen, line => line.now);
  }

  private target(at: number) {
    const file = pendingAt(this.ledger, PATH);
    const index = file ? at % file.hunks.length : 0;
    const hunk = file?.hunks[index];
    const lines = model.hunksIn(this.lines)[index];
    if (!hunk || !lines) return undefined;
    return { kind: 'hunk' as const, path: PATH, hunkId: hunk.id, hunk: lines };
  }

  private now(): FileContent {
    return { kind: 'text', text: model.textNow(this.lines) };
  }

  private before(): FileContent {
    return { kind: 'text', text: model.textBefore(this.lines) };
  }

  private fresh(count: number): readonly string[] {
    return Array.from({ length: count }, () => `line ${++this.written}\n`);
  }
}

const ALL: ReviewTarget = { kind: 'all' };

function textOf(lines: readonly Line[]): FileContent {
  return { kind: 'text', text: lines.map(({ text }) => text).join('') };
}

test('whatever is written, edited, kept, undone, committed and reloaded, the ledger is as the model', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 }), fc.array(step, { maxLength: 12 }), (size, steps) => {
      const world = new World(size);
      for (const step of steps) {
        world.take(step);
        world.check();
      }
    }),
    { numRuns: SEQUENCES, seed: 4 },
  );
});
