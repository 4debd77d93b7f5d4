import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  vscodeAgents,
  zedAgents,
  zedSettingsFiles,
} from '../../../src/agents/catalog/otherClients';

test("programs among Zed's agent_servers are offered, with comments and trailing commas around them", () => {
  const settings = `// Zed settings
  {
    "theme": "One Dark",
    "agent_servers": {
      "My Agent": { "type": "custom", "command": "mine", "args": ["--acp"], "env": { "KEY": "secret" } },
      "old style": { "command": "~/bin/old" },
      "claude-acp": { "type": "registry", "env": { "CLAUDE_CODE_EXECUTABLE": "/x" } },
      "gemini": { "default_mode": "plan" },
      "broken": { "command": 7 },
    },
  }`;
  assert.deepEqual(zedAgents(settings), [
    { name: 'My Agent', command: 'mine', args: ['--acp'], env: { KEY: 'secret' }, from: 'zed' },
    { name: 'old style', command: '~/bin/old', args: [], env: {}, from: 'zed' },
  ]);
});

test('settings without agents, or that are none, offer nothing', () => {
  for (const text of [
    '',
    'x',
    '[]',
    '{}',
    '{"agent_servers":[]}',
    '{"agent_servers":{"a":null}}',
    '{"agent_servers',
  ]) {
    assert.deepEqual(zedAgents(text), [], text);
  }
  for (const value of [undefined, null, {}, 'x', [null, 7, {}, { id: 'x' }, { command: 'x' }]]) {
    assert.deepEqual(vscodeAgents(value), [], JSON.stringify(value));
  }
});

test("entries of VS Code's setting are offered by the name that is shown", () => {
  const offers = vscodeAgents([
    { id: 'qwen', displayName: 'Qwen Code', command: 'npx', args: ['qwen', '--acp'] },
    { id: 'gemini', name: 'Gemini', command: 'gemini', env: { A: 'b' } },
    { id: 'bare', command: 'bare' },
  ]);
  assert.deepEqual(
    offers.map(({ name, command, args, env }) => [name, command, args, env]),
    [
      ['Qwen Code', 'npx', ['qwen', '--acp'], {}],
      ['Gemini', 'gemini', [], { A: 'b' }],
      ['bare', 'bare', [], {}],
    ],
  );
});

test("Zed's settings are looked for where Zed keeps them", () => {
  assert.deepEqual(zedSettingsFiles({}, '/home/me', 'darwin'), [
    path.join('/home/me', '.config', 'zed', 'settings.json'),
  ]);
  assert.equal(
    zedSettingsFiles({ XDG_CONFIG_HOME: '/config' }, '/home/me', 'linux')[0],
    path.join('/config', 'zed', 'settings.json'),
  );
  assert.deepEqual(zedSettingsFiles({ appdata: 'C:\\Me' }, 'C:\\Users\\me', 'win32'), [
    path.join('C:\\Me', 'Zed', 'settings.json'),
  ]);
  assert.deepEqual(zedSettingsFiles({}, 'C:\\Users\\me', 'win32'), []);
});
