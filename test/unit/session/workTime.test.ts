import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spentIn } from '../../../src/session/budget/amounts';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import type { SessionState } from '../../../src/session/state/state';
import { workedFor } from '../../../src/session/state/workTime';

const begin: SessionAction = {
  type: 'turnStarted',
  turnId: 't',
  prompt: { id: 'p', text: 'Go', attachments: [] },
  at: 1000,
};
const asks = (id: string, requestedAt: number): SessionAction => ({
  type: 'permissionRequested',
  request: { id, toolCallId: id, title: id, options: [], requestedAt },
});
const answered = (requestId: string, at: number): SessionAction => ({
  type: 'permissionAnswered',
  requestId,
  outcome: 'allowed',
  at,
});
const questions = (id: string, requestedAt: number): SessionAction => ({
  type: 'elicitationRequested',
  elicitation: { kind: 'form', id, message: 'Which?', fields: [], requestedAt },
});
const end = (at: number): SessionAction => ({
  type: 'turnEnded',
  end: { reason: 'end_turn' },
  planPartId: 'plan',
  at,
});

function after(...actions: readonly SessionAction[]): SessionState {
  return [begin, ...actions].reduce(
    reduce,
    initialSession({ chatId: 'c', agentName: 'A', cwd: '/w', at: 0 }),
  );
}

/** What comes of it, and how many milliseconds the agent has worked by 9000. */
const CASES: readonly (readonly [string, readonly SessionAction[], number])[] = [
  ['nothing asked', [], 8000],
  ['asked and answered', [asks('a', 2000), answered('a', 6000)], 4000],
  ['one asked while another waits', [asks('a', 2000), asks('b', 3000), answered('a', 4000)], 1000],
  [
    'both answered',
    [asks('a', 2000), asks('b', 3000), answered('a', 4000), answered('b', 5000)],
    5000,
  ],
  ['asked twice', [asks('a', 2000), answered('a', 3000), asks('b', 4000)], 2000],
  ['a question beside it', [asks('a', 2000), questions('q', 3000), answered('a', 4000)], 1000],
  [
    'a question answered',
    [questions('q', 3000), { type: 'elicitationEnded', requestId: 'q', at: 5000 }],
    6000,
  ],
];

for (const [name, actions, worked] of CASES) {
  test(`the time of the user is not the agent's: ${name}`, () => {
    const running = after(...actions);
    assert.ok(running.activeTurn);
    assert.equal(workedFor(running.activeTurn, 9000), worked);
    assert.equal(spentIn(running, 0, 9000).minutes, worked / 60_000);
    const ended = after(...actions, end(9000));
    assert.ok(ended.turns[0]);
    assert.equal(workedFor(ended.turns[0], 50_000), worked);
  });
}
