import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SessionAction } from '../../../src/session/state/actions';
import { mergeActions } from '../../../src/session/state/mergeActions';
import { reduce } from '../../../src/session/state/reducer';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { isOpen } from '../../../src/session/state/turns';
import { anyAction, START } from './arbitraries';

const actions = fc.array(anyAction, { maxLength: 30 });

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freezeDeep);
  }
  return value;
}

function toolCalls(state: SessionState) {
  const turns = allTurns(state);
  return turns.flatMap(turn => turn.parts.filter(part => part.kind === 'tool'));
}

test('a state is never changed in place, and is plain JSON', () => {
  fc.assert(
    fc.property(actions, list => {
      let state = freezeDeep(START);
      for (const action of list) state = freezeDeep(reduce(state, freezeDeep(action)));
      assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
    }),
    { numRuns: 3000, seed: 4 },
  );
});

test('merged actions do what the two do', () => {
  fc.assert(
    fc.property(actions, anyAction, anyAction, (list, first, second) => {
      const state = list.reduce(reduce, START);
      const merged = mergeActions(first, second);
      if (!merged) return;
      assert.deepEqual(reduce(state, merged), reduce(reduce(state, first), second));
    }),
    { numRuns: 3000, seed: 4 },
  );
});

test('what is told late stays in its turn, also when it is merged', () => {
  const late = fc.option(fc.nat(), { nil: undefined });
  fc.assert(
    fc.property(actions, anyAction, anyAction, late, late, (list, one, two, before, after) => {
      const state = list.reduce(reduce, START);
      const told = (action: SessionAction, which: number | undefined): SessionAction => {
        const turn = which === undefined ? undefined : state.turns[which % state.turns.length];
        if (!turn?.end) return action;
        switch (action.type) {
          case 'chunkReceived':
          case 'contentReceived':
          case 'toolCallChanged':
            return { ...action, turnId: turn.id, late: true };
          default:
            return action;
        }
      };
      const [first, second] = [told(one, before), told(two, after)];
      const each = [first, second].reduce(reduce, state);
      // What the user is said to have said begins a turn, unless it is an echo.
      const isUsers = first.type === 'chunkReceived' && first.stream === 'user';
      if ('late' in first && first.late && !first.parentToolCallId && !isUsers) {
        assert.equal(reduce(state, first).activeTurn, state.activeTurn);
        assert.equal(reduce(state, first).turns.length, state.turns.length);
      }
      const merged = mergeActions(first, second);
      if (merged) assert.deepEqual(reduce(state, merged), each);
    }),
    { numRuns: 3000, seed: 4 },
  );
});

test('ids stay unique, and nothing in a finished turn keeps running', () => {
  fc.assert(
    fc.property(actions, list => {
      let state = START;
      for (const action of list) state = reduce(state, action);
      const ended = reduce(state, {
        type: 'turnEnded',
        end: { reason: 'cancelled' },
        planPartId: 'plan',
        at: 2000,
      });
      assert.equal(ended.activeTurn, undefined);
      const turn = state.activeTurn && ended.turns.at(-1);
      if (turn) {
        assert.ok(turn.parts.every(part => part.kind !== 'tool' || !isOpen(part.status)));
        assert.ok(turn.parts.every(part => part.kind !== 'thought' || part.endedAt !== undefined));
      }
      const ids = ended.turns.flatMap(({ id, parts }) => [id, ...parts.map(part => part.id)]);
      assert.equal(new Set(ids).size, ids.length);
      for (const part of toolCalls(ended)) {
        assert.equal(part.endedAt === undefined, isOpen(part.status), JSON.stringify(part));
      }
    }),
    { numRuns: 3000, seed: 4 },
  );
});
