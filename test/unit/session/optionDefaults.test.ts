/** Defaults of options, with a real agent process on the other side. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { OptionDefault } from '../../../src/session/ports';
import { ChosenDefaults } from '../../../src/vscode/settings/optionDefaults';
import { world } from './world';

const OPENED = {
  configOptions: [
    select('mode', 'mode', ['ask', 'code']),
    select('model', 'model', ['small', 'large']),
    { id: 'web', name: 'Web', type: 'boolean', currentValue: false },
  ],
};

function select(id: string, category: string, values: readonly string[]) {
  const options = values.map(value => ({ value, name: value }));
  return { id, name: id, category, type: 'select', currentValue: values[0], options };
}

function stored() {
  let value: unknown;
  return {
    get: () => value,
    update: (_key: string, next: unknown) => Promise.resolve(void (value = next)),
  };
}

test('a new session begins with the defaults; what the agent does not know is told', async t => {
  const asked: string[] = [];
  const defaults: OptionDefault[] = [
    { optionId: 'model', value: 'gone', isConfigured: false },
    { optionId: 'mode', value: 'code', isConfigured: true },
    { optionId: 'web', value: true, isConfigured: true },
    { optionId: 'model', value: 'huge', isConfigured: true },
    { optionId: 'colour', value: 'red', isConfigured: true },
  ];
  const opened = await world(
    { opened: OPENED },
    {
      defaults: { of: () => defaults, remember: () => undefined },
      tap: ({ direction, json }) => {
        if (direction === 'send' && json.includes('set_config_option')) asked.push(json);
      },
    },
  );
  t.after(() => opened.end());
  const state = await opened.until(({ configOptions }) => configOptions[2]?.value === true);
  deepEqual(
    state.configOptions.map(({ value }) => value),
    ['code', 'small', true],
  );
  equal(asked.length, 2, 'what the agent does not offer is not asked for');
  const told = JSON.stringify(opened.state);
  match(told, /offers no \\"huge\\" for model/);
  match(told, /has no option \\"colour\\"/);
  equal(told.includes('gone'), false, 'what was only remembered may be gone');
});

test('the next chat has the model that was chosen last, and the mode that the agent begins with', async t => {
  const storage = stored();
  const options = { defaults: new ChosenDefaults(() => ({}), storage) };
  const first = await world({ opened: OPENED }, options);
  t.after(() => first.end());
  await first.chat.controller.setConfig('model', 'large');
  await first.chat.controller.setConfig('mode', 'code');
  deepEqual(
    first.state.configOptions.map(({ value }) => value),
    ['code', 'large', false],
  );
  const second = await world({ opened: OPENED }, options);
  t.after(() => second.end());
  const state = await second.until(({ configOptions }) => configOptions[1]?.value === 'large');
  equal(state.configOptions[0]?.value, 'ask');
});
