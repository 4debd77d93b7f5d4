/**
 * Everything from the disk to the review against a simple model, over random histories: keeping all leaves the text
 * as it is, undoing all leaves the baseline with the user's edits, nothing is lost, hunks do not overlap, and what
 * the user did is never an agent's.
 */
import { test } from 'node:test';
import fc from 'fast-check';
import * as lines from '../lineModel';
import { ABSENT, linesIn, settledModel, textSide, type Side } from './fileModel';
import { History, type Hand } from './history';

/** Histories in a repository for each seed; without git half as many. */
const RUNS = 20;
/** Always the same, so that a change is judged by itself. To look for more: `TRACKER_SEED=…`, and `TRACKER_PATH=…`. */
const { TRACKER_SEED, TRACKER_PATH } = process.env;
const SEEDS = TRACKER_SEED === undefined ? [4] : [Number(TRACKER_SEED)];

const KINDS = {
  agentEdits: 8,
  agentMakes: 2,
  agentDeletes: 2,
  agentMoves: 2,
  agentEmpties: 1,
  agentWritesBinary: 1,
  turn: 4,
  userTypes: 4,
  userSaves: 2,
  userWrites: 3,
  userRemoves: 1,
  userReturns: 1,
  userMoves: 2,
  userMakes: 1,
  keepHunk: 2,
  keepFile: 1,
  keepTurn: 1,
  undoHunk: 3,
  undoFile: 2,
  undoTurn: 1,
  undoChat: 1,
  undoAll: 1,
  commitAll: 1,
  commitOne: 2,
  stash: 2,
  discard: 1,
  reload: 1,
} as const;
type Kind = keyof typeof KINDS;

interface Step {
  readonly kind: Kind;
  readonly which: number;
  readonly at: number;
  readonly count: number;
  readonly hand: Hand;
  readonly again: boolean;
}

const kind = fc.oneof(
  ...(Object.keys(KINDS) as Kind[]).map(name => ({
    weight: KINDS[name],
    arbitrary: fc.constant(name),
  })),
);
const step: fc.Arbitrary<Step> = fc.record({
  kind,
  which: fc.nat({ max: 20 }),
  at: fc.nat({ max: 8 }),
  count: fc.nat({ max: 3 }),
  hand: fc.constantFrom<Hand>('editor', 'disk', 'shell'),
  again: fc.boolean(),
});

function pick(names: readonly string[], which: number): string | undefined {
  return names[which % Math.max(1, names.length)];
}

async function take(h: History, { kind, which, at, count, hand, again }: Step): Promise<void> {
  const name = pick(h.existing, which);
  const pending = pick(h.pending, which);
  const inTurn = async (task: () => Promise<void>) => {
    await h.startTurn();
    await task();
  };
  switch (kind) {
    case 'agentEdits':
      return inTurn(async () => {
        if (name === undefined || h.sideOf(name).kind !== 'text') return;
        await h.agentWrites(name, edited(h, name, at, count, again), hand);
      });
    case 'agentMakes':
      return inTurn(() => h.agentWrites(absentName(h, which), textSide(h.text(count, at)), hand));
    case 'agentDeletes':
      return name === undefined ? undefined : inTurn(() => h.agentWrites(name, ABSENT, hand));
    case 'agentMoves':
      return name === undefined ? undefined : inTurn(() => h.agentMoves(name, h.freshName()));
    case 'agentEmpties':
      return name === undefined ? undefined : inTurn(() => h.agentWrites(name, textSide(''), hand));
    case 'agentWritesBinary':
      return name === undefined
        ? undefined
        : inTurn(() =>
            h.agentWrites(
              name,
              { kind: 'binary', text: `\0${h.text(1, at)}`.replace(/[^\0-\x7f]/g, '') },
              hand,
            ),
          );
    case 'turn':
      return h.isRunning ? h.endTurn() : h.startTurn();
    case 'userTypes':
      return name === undefined ? undefined : h.userTypes(name, at, again ? count : 0, count);
    case 'userSaves':
      return name === undefined ? undefined : h.userSaves(name);
    case 'userWrites':
      return name === undefined ? undefined : h.userWrites(name, at, again ? count : 0, count);
    case 'userRemoves':
      return name === undefined ? undefined : h.userRemoves(name);
    case 'userReturns':
      return name === undefined ? undefined : h.userTakesAndReturns(name);
    case 'userMoves':
      return name === undefined ? undefined : h.userMoves(name, h.freshName());
    case 'userMakes':
      return h.userMakes(absentName(h, which), h.text(count, at));
    case 'keepHunk':
    case 'undoHunk': {
      const hunks = pending === undefined ? [] : h.hunksOf(pending);
      const hunk = hunks[at % Math.max(1, hunks.length)];
      if (pending === undefined || !hunk) return;
      const target = { kind: 'hunk', path: h.file(pending), hunkId: hunk.id } as const;
      return h.decide(kind === 'keepHunk' ? 'keep' : 'undo', target, again);
    }
    case 'keepFile':
    case 'undoFile': {
      if (pending === undefined) return;
      const target = { kind: 'file', path: h.file(pending) } as const;
      return h.decide(kind === 'keepFile' ? 'keep' : 'undo', target, again);
    }
    case 'keepTurn':
    case 'undoTurn': {
      const turns = h.turnsInReview();
      const turn = turns[which % Math.max(1, turns.length)];
      if (!turn) return;
      return h.decide(kind === 'keepTurn' ? 'keep' : 'undo', { kind: 'turn', turn }, again);
    }
    case 'undoChat':
      return h.decide('undo', { kind: 'chat', chatId: `chat-${at % 2}` }, again);
    case 'undoAll':
      return h.decide('undo', { kind: 'all' }, again);
    case 'commitAll':
      return h.hasGit ? h.commitAll() : undefined;
    case 'commitOne': {
      const one = pick(h.names, which);
      return h.hasGit && one !== undefined ? h.commitOne(one) : undefined;
    }
    case 'stash':
      return h.hasGit ? h.stash(again) : undefined;
    case 'discard': {
      const one = pick(h.names, which);
      return h.hasGit && one !== undefined ? h.discard(one) : undefined;
    }
    case 'reload':
      return h.reload();
  }
}

/** Lines come, go or are replaced in one or two places. */
function edited(h: History, name: string, at: number, count: number, twice: boolean): Side {
  let next = linesIn(settledModel(h.sideOf(name)));
  for (const place of twice ? [at, at + 4] : [at]) {
    const present = lines.current(next);
    const last = present.at(-1);
    const fresh = h.text(count, place).match(/[^\n]*\n/g) ?? [];
    // A last line without an ending is written anew before anything can follow it.
    if (last && !last.text.endsWith('\n') && place >= present.length - 1) {
      next = lines.agentReplaces(next, present.length - 1, 1, fresh);
    } else next = lines.agentReplaces(next, place, (at + count) % 3, fresh);
  }
  return textSide(lines.textNow(next));
}

function absentName(h: History, which: number): string {
  const gone = h.names.filter(name => h.sideOf(name).kind === 'absent');
  return which % 3 === 0 ? (pick(gone, which) ?? h.freshName()) : h.freshName();
}

for (const inGit of [true, false]) {
  const where = inGit ? 'in a repository' : 'without git';
  for (const seed of SEEDS) {
    test(
      `${where}, seed ${seed}: whatever happens, the review is as the model`,
      { timeout: 600_000 },
      async () => {
        const property = fc.asyncProperty(
          fc.nat({ max: 100 }),
          fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }),
          fc.constantFrom('keep' as const, 'undo' as const),
          (first, steps, decision) => run(inGit, first, steps, decision),
        );
        await fc.assert(property, {
          numRuns: inGit ? RUNS : RUNS / 2,
          seed,
          endOnFailure: process.env['TRACKER_END'] === '1',
          ...(TRACKER_PATH !== undefined && { path: TRACKER_PATH }),
        });
      },
    );
  }
}

async function run(
  inGit: boolean,
  first: number,
  steps: readonly Step[],
  decision: 'keep' | 'undo',
): Promise<void> {
  const tasks: (() => void | Promise<void>)[] = [];
  const h = new History({ inGit, after: task => tasks.push(task) });
  try {
    await h.begin(first);
    await h.check();
    for (const one of steps) {
      await take(h, one);
      await h.check();
    }
    await h.end(decision);
  } finally {
    h.close();
    for (const task of tasks) await task();
  }
}
