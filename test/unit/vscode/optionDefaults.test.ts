import { equal, deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigOption } from '../../../src/session/state/config';
import { ChosenDefaults, readDefaults } from '../../../src/vscode/settings/optionDefaults';
import type { ChoiceStorage, DefaultsSetting } from '../../../src/vscode/settings/optionDefaults';

function storage(): ChoiceStorage {
  const values = new Map<string, string>();
  return {
    get: key => JSON.parse(values.get(key) ?? 'null') as unknown,
    update: (key, value) => {
      values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

const option = (id: string, more: Partial<ConfigOption> = {}): ConfigOption =>
  ({
    id,
    name: id,
    type: 'select',
    value: 'a',
    groups: [],
    source: 'configOption',
    ...more,
  }) as ConfigOption;

test('the setting comes above what was last chosen, for that agent only', () => {
  const kept = storage();
  const setting: DefaultsSetting = { Ada: { model: 'large', web: true } };
  const defaults = new ChosenDefaults(() => setting, kept);
  defaults.remember('Ada', option('model', { category: 'model' }), 'small');
  defaults.remember('Ada', option('effort', { category: 'thought_level' }), 'high');
  defaults.remember('Bob', option('model', { category: 'model' }), 'tiny');
  deepEqual(defaults.of('Ada'), [
    { optionId: 'effort', value: 'high', isConfigured: false },
    { optionId: 'model', value: 'large', isConfigured: true },
    { optionId: 'web', value: true, isConfigured: true },
  ]);
  deepEqual(new ChosenDefaults(() => ({}), kept).of('Bob'), [
    { optionId: 'model', value: 'tiny', isConfigured: false },
  ]);
  deepEqual(defaults.of('toString'), []);
});

test('the last choice wins and is applied last', () => {
  const defaults = new ChosenDefaults(() => ({}), storage());
  const effort = option('effort', { category: 'thought_level' });
  const model = option('model', { category: 'model', source: 'model' });
  defaults.remember('Ada', effort, 'high');
  defaults.remember('Ada', model, 'small');
  defaults.remember('Ada', effort, 'low');
  deepEqual(
    defaults.of('Ada').map(({ optionId, value }) => [optionId, value]),
    [
      ['model', 'small'],
      ['effort', 'low'],
    ],
  );
});

test('what an agent may do never comes back by itself', () => {
  const defaults = new ChosenDefaults(() => ({}), storage());
  defaults.remember('Ada', option('mode', { category: 'mode', source: 'mode' }), 'yolo');
  defaults.remember('Ada', option('approval', { category: 'mode' }), 'never');
  defaults.remember('Ada', option('auto-approve'), 'on');
  defaults.remember('Ada', option('trust', { category: '_trust' }), 'all');
  deepEqual(defaults.of('Ada'), []);
});

test('what cannot be used is left out and named', () => {
  const { defaults, bad } = readDefaults({ Ada: { model: 'm', depth: 3, web: null }, Bob: 'fast' });
  deepEqual(defaults, { Ada: { model: 'm' } });
  deepEqual(bad, ['Ada.depth', 'Ada.web', 'Bob']);
  deepEqual(readDefaults(['x']).bad, ['']);
  deepEqual(readDefaults(undefined), { defaults: {}, bad: [] });
});

test('what is stored and cannot be read counts as nothing', () => {
  const kept = storage();
  void kept.update('parley.lastChoices', 'broken');
  const defaults = new ChosenDefaults(() => ({}), kept);
  equal(defaults.of('Ada').length, 0);
  defaults.remember('Ada', option('model', { category: 'model' }), 'small');
  equal(defaults.of('Ada').length, 1);
});
