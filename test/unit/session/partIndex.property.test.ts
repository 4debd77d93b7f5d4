import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  appended,
  lastOfCall,
  lastOfLane,
  laneOf,
  replaced,
} from '../../../src/session/state/partIndex';
import type { Part } from '../../../src/session/state/state';

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const lane = fc.option(ids, { nil: undefined });

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.tuple(ids, lane).map(([toolCallId, parent]): Part => ({
    kind: 'tool',
    id: 'p',
    toolCallId,
    title: '',
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    startedAt: 0,
    ...(parent !== undefined && { parentToolCallId: parent }),
  })),
  lane.map((parent): Part => ({
    kind: 'text',
    id: 'p',
    text: 't',
    ...(parent !== undefined && { parentToolCallId: parent }),
  })),
);

type Step =
  | { readonly kind: 'append'; readonly part: Part }
  | { readonly kind: 'replace'; readonly at: number; readonly part: Part }
  /** Another state of the same part: where it is found does not change. */
  | { readonly kind: 'change'; readonly at: number }
  | { readonly kind: 'leaveOut'; readonly count: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: part.map(each => ({ kind: 'append' as const, part: each })) },
  fc.record({ kind: fc.constant('replace' as const), at: fc.nat(), part }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), at: fc.nat() }) },
  fc.record({ kind: fc.constant('leaveOut' as const), count: fc.nat(3) }),
);

function taken(parts: readonly Part[], change: Step): readonly Part[] {
  const at = 'at' in change ? change.at % parts.length : 0;
  switch (change.kind) {
    case 'append':
      return appended(parts, change.part);
    case 'replace':
      return replaced(parts, at, change.part);
    case 'change':
      return replaced(parts, at, { ...(parts[at] as Part), id: 'changed' });
    case 'leaveOut':
      return parts.slice(change.count);
  }
}

function check(parts: readonly Part[]): void {
  for (const id of ['a', 'b', 'c', 'd', 'nobody']) {
    const call = parts.findLastIndex(each => each.kind === 'tool' && each.toolCallId === id);
    assert.equal(lastOfCall(parts, id), call, id);
    assert.equal(
      lastOfLane(parts, id),
      parts.findLastIndex(each => laneOf(each) === id),
    );
  }
  assert.equal(
    lastOfLane(parts, undefined),
    parts.findLastIndex(each => laneOf(each) === undefined),
  );
}

test('in a long turn everything is found where a search finds it, in older states of the turn too', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 60, maxLength: 80 }),
      fc.array(fc.tuple(step, fc.boolean()), { maxLength: 30 }),
      (parts, steps) => {
        const states = [parts as readonly Part[]];
        for (const [change, isAsked] of steps) {
          const next = taken(states.at(-1) as readonly Part[], change);
          if (isAsked) check(next);
          states.push(next);
        }
        for (const state of states.reverse()) check(state);
      },
    ),
    { numRuns: 500, seed: 4 },
  );
});
