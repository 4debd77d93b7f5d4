import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  builtInAgent,
  configuredSecrets,
  describeAgent,
  parseAgents,
  type AgentDefinition,
} from '../../../src/agents/definitions';

function problemOf(definition: AgentDefinition | undefined) {
  return definition?.kind === 'unusable' ? definition.problem : undefined;
}

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
      kind: 'stdio',
      name: 'Claude Code',
      command: 'npx',
      args: ['-y', '@agentclientprotocol/claude-agent-acp'],
      env: { ANTHROPIC_LOG: 'debug' },
      environment: 'loginShell',
    },
    {
      kind: 'stdio',
      name: 'Gemini',
      command: '~/bin/gemini',
      args: ['--acp'],
      env: {},
      cwd: '${workspaceFolder}/app',
      environment: 'loginShell',
    },
  ]);
});

test('Claude Code needs nothing but its type', () => {
  const agents = parseAgents({
    Claude: { type: 'claude' },
    Mine: { type: 'claude', command: '~/bin/claude', args: ['--model', 'opus'], env: { A: 'b' } },
  });
  const common = { kind: 'claude', environment: 'loginShell' };
  assert.deepEqual(agents, [
    { ...common, name: 'Claude', command: 'claude', args: [], env: {} },
    {
      ...common,
      name: 'Mine',
      command: '~/bin/claude',
      args: ['--model', 'opus'],
      env: { A: 'b' },
    },
  ]);
});

test('so does Codex', () => {
  const [agent] = parseAgents({ Codex: { type: 'codex' } });
  assert.ok(agent?.kind === 'codex');
  assert.equal(agent.command, 'codex');
});

test('numbers and booleans are taken for the strings they look like', () => {
  const [agent] = parseAgents({
    a: { command: 'a', args: ['--port', 8080], env: { DEBUG: true } },
  });
  assert.ok(agent?.kind === 'stdio');
  assert.deepEqual(agent.args, ['--port', '8080']);
  assert.deepEqual(agent.env, { DEBUG: 'true' });
});

test('what is wrong with an entry is told, and costs only this entry', () => {
  const cases: [unknown, RegExp][] = [
    ['npx agent', /must be an object/],
    [null, /must be an object/],
    [[], /must be an object/],
    [{}, /"command" is missing/],
    [{ command: '  ' }, /"command" is missing/],
    [{ command: ['npx'] }, /"command" is missing/],
    [{ type: 'registry', env: {} }, /"type" must be "custom", "claude" or "codex", not "registry"/],
    [{ type: 'claude', command: 7 }, /"command" is missing or is not a string/],
    [{ type: 'claude', url: 'wss://example.com' }, /"url" cannot be used with/],
    [{ type: 'codex', url: 'wss://example.com' }, /"url" cannot be used with/],
    [{ type: 'claude', args: '--model opus' }, /"args" must be an array/],
    [{ command: 'a', args: '--acp' }, /"args" must be an array/],
    [{ command: 'a', args: [{}] }, /"args" must be an array/],
    [{ command: 'a', env: ['A=1'] }, /"env" must be an object/],
    [{ command: 'a', env: { A: {} } }, /value of A/],
    [{ command: 'a', cwd: 1 }, /"cwd"/],
    [{ command: 'a', url: 'ws://localhost' }, /"command" and "url" are both set/],
    [{ url: 7 }, /"url" must be a string/],
    [{ url: '' }, /not a valid address/],
    [{ url: 'localhost:3000' }, /"localhost:", but Parley supports only "https:", "http:", "wss:"/],
    [
      { url: 'ftp://example.com/acp' },
      /"ftp:", but Parley supports only "https:", "http:", "wss:"/,
    ],
    [{ url: 'ws://localhost', headers: ['A: b'] }, /"headers" must be an object/],
    [{ url: 'ws://localhost', headers: { A: {} } }, /"headers": the value of A/],
  ];
  for (const [entry, expected] of cases) {
    const [bad, good] = parseAgents({ Bad: entry, Good: { command: 'good' } });
    const problem = problemOf(bad);
    assert.equal(problem?.kind, 'badConfiguration', JSON.stringify(entry));
    assert.match(problem.detail, expected);
    assert.match(problem.title, /^Bad /);
    assert.equal(good?.kind, 'stdio');
  }
});

test('a setting that is no object is one broken agent; no setting is none', () => {
  assert.deepEqual(parseAgents(undefined), []);
  assert.deepEqual(parseAgents({}), []);
  assert.equal(problemOf(parseAgents([])[0])?.kind, 'badConfiguration');
});

test("the built-in agent runs on Parley's own Node, without asking the shell", () => {
  assert.deepEqual(builtInAgent('Parley Demo', '/ext/dist/demoAgent.js', '/data'), {
    kind: 'stdio',
    name: 'Parley Demo',
    command: process.execPath,
    args: ['/ext/dist/demoAgent.js'],
    env: { ELECTRON_RUN_AS_NODE: '1', PARLEY_DEMO_DATA: '/data' },
    environment: 'editor',
  });
});

test('an agent elsewhere has a url and headers', () => {
  const [remote] = parseAgents({
    Remote: {
      type: 'custom',
      url: ' wss://me:secret@example.com/acp?room=${env:ROOM} ',
      headers: { Authorization: 'Bearer ${env:KEY}', 'X-Depth': 3 },
    },
  });
  assert.ok(remote?.kind === 'remote');
  assert.deepEqual(remote, {
    kind: 'remote',
    name: 'Remote',
    url: 'wss://me:secret@example.com/acp?room=${env:ROOM}',
    headers: { Authorization: 'Bearer ${env:KEY}', 'X-Depth': '3' },
  });
  assert.equal(describeAgent(remote), 'wss://example.com/acp');
  assert.deepEqual(configuredSecrets(remote), ['Bearer ${env:KEY}', '3']);
});

test('an address whose scheme a variable stands for is checked when the agent starts', () => {
  assert.equal(parseAgents({ Remote: { url: '${env:AGENT_URL}' } })[0]?.kind, 'remote');
});
