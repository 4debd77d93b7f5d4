import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Emitter } from '../../../src/base/event';
import { nullLogger } from '../../../src/base/logger';
import { RememberedAnswers } from '../../../src/vscode/rememberedAnswers';
import { askedDefaults, withAsked } from '../../../src/vscode/settings/askedDefaults';
import type { AskedDefaults } from '../../../src/vscode/settings/askedDefaults';
import { WorkspaceDefaults } from '../../../src/vscode/settings/workspaceDefaults';
import { WORKSPACE_RULES } from '../../../src/vscode/settings/workspaceRules';
import { eventually } from '../../workbench/eventually';
import { answerStorage } from './answerStorage';

const FILE = '/w/.vscode/settings.json';
const USER = { defaultAgent: 'mine', defaults: { a: { mode: 'ask', model: 'large' } } };
const BYPASS: AskedDefaults = {
  options: [{ agent: 'a', optionId: 'mode', value: 'bypassPermissions', own: 'ask' }],
};

test("only what differs from the user's is asked about, and put in its place", () => {
  const workspace = {
    defaultAgent: 'theirs',
    defaults: { a: { mode: 'bypassPermissions', model: 'large' }, b: { web: true } },
  };
  const asked = askedDefaults(USER, workspace);
  assert.deepEqual(asked, {
    defaultAgent: { value: 'theirs', own: 'mine' },
    options: [...BYPASS.options, { agent: 'b', optionId: 'web', value: true }],
  });
  assert.deepEqual(withAsked(USER, asked), {
    defaultAgent: 'theirs',
    defaults: { a: { model: 'large', mode: 'bypassPermissions' }, b: { web: true } },
  });
  assert.equal(askedDefaults(USER, {}), undefined);
  assert.equal(askedDefaults(USER, USER), undefined);
});

const defaults = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__', 'constructor'),
  fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), fc.constantFrom('1', '2', true), {
    noNullPrototype: true,
  }),
  { noNullPrototype: true },
);

test('with what was asked for, nothing is left to ask', () => {
  const some = fc.record({ defaultAgent: fc.constantFrom('p', 'q'), defaults });
  fc.assert(
    fc.property(some, some, (user, workspace) => {
      const asked = askedDefaults(user, workspace);
      const result = asked ? withAsked(user, asked) : user;
      assert.equal(askedDefaults(result, workspace), undefined);
    }),
  );
});

test('a rule that tightens never answers the laxer of two values', () => {
  const rate = (value: number) => (value === 0 ? Infinity : value);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (user, workspace) => {
      for (const [name, rule] of Object.entries(WORKSPACE_RULES)) {
        if (!name.startsWith('limits.') || typeof rule === 'string') continue;
        const laxity = name.endsWith('PerMinute') ? rate : (value: number) => value;
        const { tightens } = rule as { tightens(user: number, workspace: number): number };
        const result = laxity(tightens(user, workspace));
        assert.equal(result, Math.min(laxity(user), laxity(workspace)), name);
      }
    }),
  );
  const { tightens } = WORKSPACE_RULES['review.when'];
  assert.equal(tightens('beforeWriting', 'afterwards'), 'beforeWriting');
  assert.equal(tightens('afterwards', 'beforeWriting'), 'beforeWriting');
  assert.equal(tightens('afterwards', 'afterwards'), 'afterwards');
});

function consent(answers: (boolean | undefined)[], storage = answerStorage()) {
  const asked: AskedDefaults[] = [];
  const pending = new Set<string>();
  const changedPending = new Emitter<readonly string[]>();
  const made = new WorkspaceDefaults({
    answers: new RememberedAnswers(storage, 'k'),
    settingsFile: () => FILE,
    isPending: async file => pending.has(file),
    onDidChangePending: changedPending.event,
    async ask(one) {
      asked.push(one);
      return answers.shift();
    },
    logger: nullLogger,
  });
  const setPending = (isPending: boolean) => {
    if (isPending) pending.add(FILE);
    else pending.delete(FILE);
    changedPending.fire([FILE]);
  };
  return { made, asked, storage, setPending };
}

for (const answer of [true, false, undefined]) {
  test(`what was answered with ${answer} counts so, and is not asked twice in a window`, async () => {
    const { made, asked } = consent([answer, true]);
    assert.equal(made.isGiven(BYPASS), false);
    await Promise.all([made.consider(BYPASS), made.consider(BYPASS)]);
    await made.consider(BYPASS);
    assert.equal(made.isGiven(BYPASS), answer === true);
    assert.deepEqual(asked, [BYPASS]);
  });
}

test('an answer stays for the next window; other values are asked about', async () => {
  const { made, storage } = consent([true]);
  await made.consider(BYPASS);
  const next = consent([false], storage);
  await next.made.consider(BYPASS);
  await eventually('the file is known to be reviewed', () => next.made.isGiven(BYPASS));
  const other = { options: [{ agent: 'a', optionId: 'mode', value: 'yolo' }] };
  await next.made.consider(other);
  assert.equal(next.made.isGiven(other), false);
  assert.deepEqual(next.asked, [other]);
});

test("the user's own value is no part of what was agreed to", async () => {
  const { made } = consent([true]);
  await made.consider(BYPASS);
  const [option] = BYPASS.options;
  assert.ok(option);
  const { own: _, ...rest } = option;
  assert.equal(made.isGiven({ options: [rest] }), true);
});

test('a file under review is neither asked about nor used, until it is reviewed', async () => {
  const { made, asked, setPending } = consent([true]);
  setPending(true);
  await made.consider(BYPASS);
  assert.deepEqual(asked, []);
  setPending(false);
  await made.consider(BYPASS);
  assert.equal(made.isGiven(BYPASS), true);
  const changes: boolean[] = [];
  made.onDidChange(() => changes.push(made.isGiven(BYPASS)));
  setPending(true);
  await eventually('it counts no more', () => !made.isGiven(BYPASS));
  setPending(false);
  await eventually('it counts again', () => made.isGiven(BYPASS));
  assert.deepEqual(changes, [false, true]);
});

test('what was forgotten is asked again', async () => {
  const { made, asked } = consent([true, false]);
  await made.consider(BYPASS);
  await made.forget();
  await made.consider(BYPASS);
  assert.equal(made.isGiven(BYPASS), false);
  assert.equal(asked.length, 2);
});
