import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInAgent, parseAgents } from '../../../src/agents/definitions';

test("entries of Zed's agent_servers paste unchanged", () => {
  const agents = parseAgents({
    'Claude Code': {
      type: 'custom',
      command: 'npx',
      args: ['-y', '@agentclientprotocol/claude-agent-acp'],
      env: { ANTHROPIC_LOG: 'debug' },
      default_mode: 'plan',
      favorite_models: ['opus'],
    },
    Gemini: { command: '~/bin/gemini', args: ['--acp'], cwd: '${workspaceFolder}/app' },
  });
  assert.deepEqual(agents, [
    {
      name: 'Claude Code',
      command: 'npx',
      args: ['-y', '@agentclientprotocol/claude-agent-acp'],
      env: { ANTHROPIC_LOG: 'debug' },
      environment: 'loginShell',
    },
    {
      name: 'Gemini',
      command: '~/bin/gemini',
      args: ['--acp'],
      env: {},
      cwd: '${workspaceFolder}/app',
      environment: 'loginShell',
    },
  ]);
});

test('numbers and booleans are taken for the texts they look like', () => {
  const [agent] = parseAgents({
    a: { command: 'a', args: ['--port', 8080], env: { DEBUG: true } },
  });
  assert.deepEqual(agent?.args, ['--port', '8080']);
  assert.deepEqual(agent.env, { DEBUG: 'true' });
  assert.equal(agent.problem, undefined);
});

test('what is wrong with an entry is told, and costs only this entry', () => {
  const cases: [unknown, RegExp][] = [
    ['npx agent', /must be an object/],
    [null, /must be an object/],
    [[], /must be an object/],
    [{}, /"command" is missing/],
    [{ command: '  ' }, /"command" is missing/],
    [{ command: ['npx'] }, /"command" is missing/],
    [{ type: 'registry', env: {} }, /"type" is "registry"/],
    [{ command: 'a', args: '--acp' }, /"args" must be a list/],
    [{ command: 'a', args: [{}] }, /"args" must be a list/],
    [{ command: 'a', env: ['A=1'] }, /"env" must be an object/],
    [{ command: 'a', env: { A: {} } }, /value of A/],
    [{ command: 'a', cwd: 1 }, /"cwd"/],
  ];
  for (const [entry, expected] of cases) {
    const [bad, good] = parseAgents({ Bad: entry, Good: { command: 'good' } });
    assert.equal(bad?.problem?.kind, 'badConfiguration', JSON.stringify(entry));
    assert.match(bad.problem.detail, expected);
    assert.match(bad.problem.title, /^Bad /);
    assert.equal(good?.problem, undefined);
  }
});

test('a setting that is no object is one broken agent; no setting is none', () => {
  assert.deepEqual(parseAgents(undefined), []);
  assert.deepEqual(parseAgents({}), []);
  assert.equal(parseAgents([])[0]?.problem?.kind, 'badConfiguration');
});

test("the built-in agent runs on Parley's own Node, without asking the shell", () => {
  assert.deepEqual(builtInAgent('Parley Demo', '/ext/dist/demoAgent.js', '/data'), {
    name: 'Parley Demo',
    command: process.execPath,
    args: ['/ext/dist/demoAgent.js'],
    env: { ELECTRON_RUN_AS_NODE: '1', PARLEY_DEMO_DATA: '/data' },
    environment: 'editor',
  });
});
