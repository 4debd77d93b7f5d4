/**
 * The ledger against a simple model over random histories. The model is a list of lines, each of which says
 * whether it is in the baseline and whether it is in the file now; every line is written only once, so that
 * there is one way to tell what became what.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  agentChanged,
  committed,
  EMPTY_LEDGER,
  keep,
  pendingAt,
  reinstate,
  undo,
  userChanged,
  type Ledger,
} from '../../../src/review/core/ledger';
import type { FileContent, ReviewTarget } from '../../../src/review/model';
import { applied, parsed } from './ledgers';

const SEQUENCES = 20_000;
const PATH = '/work/file.txt';
const TURNS = [
  { chatId: 'a', turnId: '1' },
  { chatId: 'b', turnId: '2' },
];

interface Line {
  readonly text: string;
  readonly before: boolean;
  readonly now: boolean;
}

type Step =
  | { readonly do: 'agent'; readonly at: number; readonly remove: number; readonly add: number }
  | { readonly do: 'insert'; readonly at: number; readonly add: number }
  | { readonly do: 'delete'; readonly at: number; readonly remove: number }
  | { readonly do: 'keep' | 'undo' | 'reinstate' | 'commit'; readonly at: number }
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
  fc.record({ do: fc.constantFrom('keep', 'undo', 'reinstate', 'commit'), at: place }),
  fc.record({ do: fc.constantFrom('reload', 'save') }),
);

/** A file, the ledger that reviews it, and what the model says of both. */
class World {
  ledger: Ledger = EMPTY_LEDGER;
  lines: Line[];
  private written = 0;

  constructor(size: number) {
    this.lines = Array.from({ length: size }, () => this.line(true, true));
  }

  take(step: Step): void {
    switch (step.do) {
      case 'agent':
        return this.agent(step.at, step.remove, step.add);
      case 'insert':
        return this.user(() => this.insert(step.at, step.add));
      case 'delete':
        return this.user(() => this.delete(step.at, step.remove));
      case 'keep':
      case 'undo':
        return this.decide(step.do, step.at);
      case 'reinstate':
        return this.undoAndReinstate(step.at);
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
    const hunks = this.hunks();
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
    const from = Math.min(at, this.count);
    const gone = new Set(this.current().slice(from, from + remove));
    const next = this.current()[from + remove];
    const fresh = Array.from({ length: add }, () => this.line(false, true));
    this.lines = this.lines.flatMap(line => {
      const kept = gone.has(line) ? (line.before ? [{ ...line, now: false }] : []) : [line];
      return line === next ? [...fresh, ...kept] : kept;
    });
    if (!next) this.lines.push(...fresh);
    const turn = TURNS[at % 2] ?? TURNS[0];
    if (turn) this.ledger = agentChanged(this.ledger, PATH, before, this.now(), turn);
  }

  private user(edit: () => void): void {
    edit();
    this.ledger = userChanged(this.ledger, PATH, this.now());
  }

  /** Between two lines of one hunk the new ones are part of it; elsewhere they are the user's. */
  private insert(at: number, add: number): void {
    const current = this.current();
    const index = Math.min(at, current.length);
    const inside = current[index - 1]?.before === false && current[index]?.before === false;
    const strictly = inside || this.isInside(current[index - 1], current[index]);
    const fresh = Array.from({ length: add }, () => this.line(!strictly, true));
    this.lines.splice(this.placeOf(current[index - 1], current[index]), 0, ...fresh);
  }

  /** True when both lines, neighbours in the file, belong to one hunk. */
  private isInside(a: Line | undefined, b: Line | undefined): boolean {
    return this.hunks().some(hunk => a && b && hunk.includes(a) && hunk.includes(b));
  }

  /** Where lines between `a` and `b` go: before a hunk that begins with `b`, else right before `b`. */
  private placeOf(a: Line | undefined, b: Line | undefined): number {
    const hunk = this.hunks().find(lines => b && lines.includes(b));
    if (hunk?.[0] && !(a && hunk.includes(a))) return this.lines.indexOf(hunk[0]);
    return b ? this.lines.indexOf(b) : this.lines.length;
  }

  private delete(at: number, remove: number): void {
    const gone = new Set(this.current().slice(at, at + remove));
    this.lines = this.lines.filter(line => !gone.has(line));
  }

  private decide(decision: 'keep' | 'undo', at: number): void {
    const target = this.target(at);
    if (!target) return;
    const { hunk } = target;
    const steps = (decision === 'keep' ? keep : undo)(this.ledger, target);
    this.ledger = applied(this.ledger, steps).ledger;
    const stays = (line: Line) => (decision === 'keep' ? line.now : line.before);
    this.settle(new Set(hunk), stays);
  }

  private undoAndReinstate(at: number): void {
    const target = this.target(at);
    if (!target) return;
    const before = pendingAt(this.ledger, PATH);
    const undone = applied(this.ledger, undo(this.ledger, target)).ledger;
    const { steps, impossible } = reinstate(undone);
    assert.deepEqual(impossible, []);
    this.ledger = applied(undone, steps).ledger;
    assert.deepEqual(pendingAt(this.ledger, PATH)?.hunks, before?.hunks);
  }

  /** A commit of every other hunk, or of all. */
  private commit(at: number): void {
    const hunks = this.hunks();
    const chosen = new Set(hunks.filter((_, index) => at % 3 === 0 || index % 2 === 0).flat());
    const content = this.lines.filter(line => (chosen.has(line) ? line.now : line.before));
    this.ledger = committed(this.ledger, PATH, textOf(content));
    this.settle(chosen, line => line.now);
  }

  private settle(lines: ReadonlySet<Line>, stays: (line: Line) => boolean): void {
    this.lines = this.lines.flatMap(line => {
      if (!lines.has(line)) return [line];
      return stays(line) ? [{ ...line, before: true, now: true }] : [];
    });
  }

  private target(at: number) {
    const file = pendingAt(this.ledger, PATH);
    const index = file ? at % file.hunks.length : 0;
    const hunk = file?.hunks[index];
    const lines = this.hunks()[index];
    if (!hunk || !lines) return undefined;
    return { kind: 'hunk' as const, path: PATH, hunkId: hunk.id, hunk: lines };
  }

  private hunks(): Line[][] {
    const hunks: Line[][] = [];
    let open: Line[] | undefined;
    for (const line of this.lines) {
      if (line.before && line.now) open = undefined;
      else if (open) open.push(line);
      else hunks.push((open = [line]));
    }
    return hunks;
  }

  private get count(): number {
    return this.current().length;
  }

  private current(): Line[] {
    return this.lines.filter(({ now }) => now);
  }

  private now(): FileContent {
    return textOf(this.current());
  }

  private before(): FileContent {
    return textOf(this.lines.filter(({ before }) => before));
  }

  private line(before: boolean, now: boolean): Line {
    return { text: `line ${++this.written}\n`, before, now };
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
