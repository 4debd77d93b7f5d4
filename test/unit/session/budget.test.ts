/** What may be spent: limits, sums, and the question at the end of them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { Emitter } from '../../../src/base/event';
import { nullLogger } from '../../../src/base/logger';
import { increase, NOTHING, plus } from '../../../src/session/budget/amounts';
import { readBudget, stricter, type Budget } from '../../../src/session/budget/limits';
import { MEASURES, type Amounts } from '../../../src/session/budget/measures';
import { allowances, standings } from '../../../src/session/budget/standings';
import { allTurns } from '../../../src/session/state/selectors';
import type { NoticePart, SessionState } from '../../../src/session/state/state';
import { BudgetWatch } from '../../../src/vscode/budget/budgetWatch';
import { DayFile, dayOf } from '../../../src/vscode/budget/dayFile';
import { world, type World } from './world';

const amount = fc.nat({ max: 1_000_000 });
const amounts: fc.Arbitrary<Amounts> = fc.record({
  tokens: amount,
  money: amount,
  minutes: amount,
  files: amount,
});
const limit = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined });
const limits = fc
  .record({ tokens: limit, money: limit, minutes: limit, files: limit })
  .map(each => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)));
const budgets: fc.Arbitrary<Budget> = fc
  .record({ chat: limits, day: limits })
  .map(({ chat, day }) => ({ chat, day }));
const never = (name: string): never => assert.fail(name);

test('the increases of sums that only grow add up to the last of them', () => {
  fc.assert(
    fc.property(fc.array(amounts), steps => {
      const sums = steps.reduce<Amounts[]>(
        (all, step) => [...all, plus(all.at(-1) ?? NOTHING, step)],
        [],
      );
      const added = sums.map((sum, index) => increase(sums[index - 1] ?? NOTHING, sum));
      assert.deepEqual(added.reduce(plus, NOTHING), sums.at(-1) ?? NOTHING);
    }),
  );
});

test('what is counted from nothing again counts from there, and nothing is ever taken back', () => {
  fc.assert(
    fc.property(amounts, amounts, (before, after) => {
      const more = increase(before, after);
      for (const measure of MEASURES) {
        assert.ok(more[measure] >= 0);
        if (after[measure] < before[measure]) assert.equal(more[measure], after[measure]);
      }
    }),
  );
});

test('a setting is read limit by limit: what is wrong is named, and the rest counts', () => {
  const read = (value: unknown): [Budget, string[]] => {
    const wrong: string[] = [];
    return [readBudget(value, name => wrong.push(name)), wrong];
  };
  assert.deepEqual(read(undefined), [{ chat: {}, day: {} }, []]);
  assert.deepEqual(read('much')[1], ['']);
  assert.deepEqual(read({ chat: { tokens: 10, money: -1, files: '3' }, day: 5 }), [
    { chat: { tokens: 10 }, day: {} },
    ['chat.money', 'chat.files', 'day'],
  ]);
  fc.assert(fc.property(fc.anything(), value => void readBudget(value, () => undefined)));
  fc.assert(fc.property(budgets, budget => assert.deepEqual(readBudget(budget, never), budget)));
});

test('a workspace can only make a budget stricter', () => {
  fc.assert(
    fc.property(budgets, budgets, (own, other) => {
      const both = stricter(own, other);
      for (const scope of ['chat', 'day'] as const) {
        for (const measure of MEASURES) {
          const set = own[scope][measure];
          assert.ok(set === undefined || (both[scope][measure] ?? Infinity) <= set);
        }
      }
      assert.deepEqual(stricter(own, own), own);
    }),
  );
});

test('a limit is over when it is reached, and going on always ends that', () => {
  fc.assert(
    fc.property(budgets, amounts, amounts, (budget, chat, day) => {
      const spending = { chat: { used: chat, allowed: {} }, day: { used: day, allowed: {} } };
      const all = standings(budget, spending);
      const shares = all.map(({ used, limit: whole }) => used / whole);
      assert.deepEqual(
        shares,
        [...shares].sort((a, b) => b - a),
      );
      for (const { scope, measure, used, level } of all) {
        const once = budget[scope][measure] ?? 0;
        assert.equal(level === 'over', used >= once);
        const allowed = { [measure]: allowances(once, used) };
        const again = standings(budget, { ...spending, [scope]: { ...spending[scope], allowed } });
        assert.notEqual(
          again.find(each => each.scope === scope && each.measure === measure)?.level,
          'over',
        );
      }
    }),
  );
});

function folder(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'parley-budget-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('two windows add to one day; old days are forgotten; a broken file begins anew', async t => {
  const file = path.join(folder(t), 'in', 'budget.json');
  const [first, second] = [new DayFile(file), new DayFile(file)];
  const one: Amounts = { tokens: 1, money: 0.5, minutes: 0, files: 0 };
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second).add('2026-01-01', one)),
  );
  assert.deepEqual(await first.read('2026-01-01'), { ...one, tokens: 20, money: 10 });
  for (let day = 1; day <= 40; day += 1) {
    await first.add(`2026-02-${String(day).padStart(2, '0')}`, one);
  }
  assert.equal(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object).length, 31);
  for (const text of ['{', 'null', '[]', '{"2026-03-01":{"tokens":"x","money":-4}}']) {
    writeFileSync(file, text);
    assert.deepEqual(await second.add('2026-03-01', one), one);
  }
});

interface Rig {
  readonly world: World;
  readonly watch: BudgetWatch;
  readonly file: DayFile;
}

async function rig(t: TestContext, budget: Budget, before: Amounts = NOTHING): Promise<Rig> {
  const file = new DayFile(path.join(folder(t), 'budget.json'));
  await file.add(dayOf(Date.now()), before);
  const known: { watch?: BudgetWatch } = {};
  const made = await world({}, { mayPrompt: state => known.watch?.mayPrompt(state) ?? true });
  t.after(() => made.end());
  const watch = await BudgetWatch.open({
    chats: made.chats,
    review: { pending: [], onDidChange: new Emitter<readonly string[]>().event },
    budget: () => budget,
    days: file,
    environment: {
      now: () => Date.now(),
      newId: () => `budget${Math.random()}`,
      after: (_milliseconds, task) => {
        const timer = setTimeout(task, 1);
        return { dispose: () => clearTimeout(timer) };
      },
    },
    logger: nullLogger,
  });
  known.watch = watch;
  t.after(() => watch.dispose());
  return { world: made, watch, file };
}

const spends = (totalTokens: number) => ({
  respond: { stopReason: 'end_turn', usage: { totalTokens } },
});
const notices = (state: SessionState): NoticePart[] =>
  allTurns(state).flatMap(({ parts }) => parts.filter(part => part.kind === 'notice'));
const prompts = (state: SessionState) =>
  allTurns(state).filter(({ prompt }) => prompt !== undefined).length;
const asks = (state: SessionState) =>
  notices(state).find(({ actions }) => actions.includes('goOn'));

test('near a limit the user is warned once; at it the next message waits for "Continue"', async t => {
  const { world: made, watch, file } = await rig(t, { chat: { tokens: 100 }, day: {} });
  const { chat, until, send, run } = made;
  await run([spends(85)]);
  await until(state => notices(state).some(({ text }) => /85 of 100 tokens/.test(text)));
  assert.equal(watch.left(chat.chatId)?.text, '15% left');
  await run([spends(30)]);
  send([spends(1)]);
  const asking = await until(asks);
  assert.match(asks(asking)?.text ?? '', /budget of this chat is used up: 115 of 100 tokens/);
  assert.deepEqual([asking.queue.length, prompts(asking), asking.activeTurn], [1, 2, undefined]);
  watch.goOn(chat.chatId);
  const gone = await until(state => prompts(state) === 3 && !state.activeTurn);
  assert.equal(asks(gone), undefined);
  await watch.flush();
  assert.equal((await file.read(dayOf(Date.now()))).tokens >= 115, true);
});

test('a turn that passes a limit is asked about while it runs, and Stop ends it', async t => {
  const { world: made } = await rig(t, { chat: { tokens: 100 }, day: {} });
  const { chat, until, send } = made;
  const usage = { sessionUpdate: 'usage_update', used: 120, size: 1000 };
  send([{ update: usage }, { waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
  const asking = await until(asks);
  assert.ok(asking.activeTurn);
  assert.deepEqual(asks(asking)?.actions, ['goOn', 'stop']);
  chat.controller.stop();
  await until(({ activeTurn }) => !activeTurn);
  await until(state => asks(state) === undefined);
});

test('the limit of a day counts what other windows have spent', async t => {
  const before = { ...NOTHING, money: 9 };
  const { world: made } = await rig(t, { chat: {}, day: { money: 10 } }, before);
  const { until, send, run } = made;
  const cost = { amount: 2, currency: 'USD' };
  await run([{ update: { sessionUpdate: 'usage_update', used: 1, size: 9, cost } }]);
  send([spends(1)]);
  assert.match(asks(await until(asks))?.text ?? '', /Today's budget is used up: 11 of 10/);
});
