import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { problemOf, prompt, rig, Chat } from './support';

test('a good agent gets ready and answers', async t => {
  const { host, statuses } = rig(t, 'good');
  const link = await host.connect();
  assert.equal(link.initialized.agentInfo?.name, 'fixture');
  assert.equal(link.missingFileAnswer, 'error');
  const { chat, sessionId } = await Chat.open(link);
  const { stopReason } = await link.prompt(prompt(sessionId, 'hello'));
  assert.equal(stopReason, 'end_turn');
  assert.equal(chat.text, 'You said: hello');
  assert.deepEqual(
    statuses.map(status => (status.kind === 'starting' ? status.step : status.kind)),
    ['process', 'initialize', 'ready'],
  );
  const starting = statuses.find(status => status.kind === 'starting' && status.timeoutSeconds);
  assert.ok(starting?.kind === 'starting' && starting.command.endsWith('good.mjs'));
});

test('what is sent first says who we are and what we can do', async t => {
  const sent: unknown[] = [];
  const tap = ({ direction, json }: { direction: string; json: string }) => {
    if (direction === 'send') sent.push(JSON.parse(json));
  };
  const { host } = rig(t, 'good', { tap });
  await host.connect();
  const [first] = sent as { method: string; params: unknown }[];
  assert.equal(first?.method, 'initialize');
  const info = { name: 'parley', title: 'Parley', version: '0.0.1' };
  const elicitation = { form: {}, url: {} };
  const _meta = {
    terminal_output: true,
    terminal_output_delta: true,
    'subagent-transcript': true,
    'terminal-auth': true,
  };
  assert.deepEqual(first.params, {
    protocolVersion: 2,
    info,
    capabilities: { auth: { terminal: {} }, elicitation, _meta },
    // An agent that knows v1 alone reads these.
    clientInfo: info,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
      auth: { terminal: true },
      elicitation,
      subagents: {},
      plan: {},
      _meta,
    },
  });
});

test('junk before the first message does no harm', async t => {
  const { host } = rig(t, 'junkThenAcp');
  await host.connect();
  assert.equal(host.status.kind, 'ready');
});

test('20 MB of stderr before the first answer do no harm', async t => {
  const { host } = rig(t, 'floodsStderr');
  await host.connect();
  assert.equal(host.status.kind, 'ready');
});

test('exits at once', async t => {
  const { host, running } = rig(t, 'exitsAtOnce');
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'exitedEarly');
  assert.match(problem.detail, /exit code 3/);
  assert.deepEqual(problem.output, []);
  assert.deepEqual(running(), []);
  assert.ok(problem.actions.includes('retry') && problem.actions.includes('showLog'));
  assert.deepEqual(host.status, { kind: 'failed', problem });
});

test('exits with an explanation on stderr', async t => {
  const { host, stderr } = rig(t, 'exitsWithStderr');
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'exitedEarly');
  assert.match(problem.detail, /exit code 2/);
  assert.deepEqual(problem.output, [
    'fatal: the API key is missing',
    'Set FIXTURE_API_KEY and try again.',
  ]);
  assert.deepEqual(stderr, problem.output);
});

test('prints text and waits: no ACP, told at the timeout', async t => {
  const { host } = rig(t, 'junkOnly', { initializeSeconds: 3 });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.deepEqual(problem.output, ['Fixture shell 1.0', 'Type "help" for help.']);
});

test('prints text and succeeds: no ACP', async t => {
  const { host } = rig(t, 'junkAndExit');
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.match(problem.output.join('\n'), /usage: fixture/);
});

test('prints text without end: no ACP, told long before the timeout', async t => {
  const { host } = rig(t, 'junkForever', { initializeSeconds: 600 });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.match(problem.output.at(-1) ?? '', /^progress \d+$/);
});

test('sends back what it gets: no ACP', async t => {
  const { host } = rig(t, 'echoesInput', { initializeSeconds: 600 });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
});

test('closes its output but stays: no ACP', async t => {
  const { host } = rig(t, 'closesStdout', { initializeSeconds: 600 });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.match(problem.detail, /closed its output/);
});

test('answers another version', async t => {
  const { host } = rig(t, 'wrongVersion');
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'unsupportedVersion');
  assert.match(problem.detail, /version 99; Parley speaks version 1/);
});

test('an MCP server is recognised as such', async t => {
  const { host } = rig(t, 'mcpServer');
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'unsupportedVersion');
  assert.match(problem.detail, /MCP server/);
});

test('refuses to initialise', async t => {
  const { host } = rig(t, 'refusesInitialize');
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'spawnFailed');
  assert.match(problem.detail, /License expired/);
});

test('never answers', async t => {
  const { host } = rig(t, 'neverInitializes', { initializeSeconds: 1 });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'timeout');
  assert.match(problem.title, /1 s/);
  assert.deepEqual(problem.output, ['still downloading…']);
});

test('the command does not exist', async t => {
  const asked: (boolean | undefined)[] = [];
  const environment = {
    get(fresh?: boolean) {
      asked.push(fresh);
      return Promise.resolve({ PATH: '/usr/nowhere:/usr/elsewhere' });
    },
  };
  const { host, log } = rig(t, 'good', {
    environment,
    definition: { command: 'no-such-agent', args: [], environment: 'loginShell' },
  });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'commandNotFound');
  assert.match(problem.detail, /"no-such-agent" is not installed or not on your PATH/);
  assert.deepEqual(problem.output, ['Searched in:', '/usr/nowhere', '/usr/elsewhere']);
  assert.ok(log.some(line => line.includes('/usr/nowhere')));
  // It may have been installed since, so Retry asks the shell again.
  await problemOf(host.connect());
  assert.deepEqual(asked, [false, true]);
});

test('a whole command line as command', async t => {
  const { host } = rig(t, 'good', { definition: { command: 'npx some-agent --acp', args: [] } });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'commandNotFound');
  assert.match(problem.detail, /Options belong in "args"/);
});

test('the command is not executable, or not a program', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley test '));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'agent');
  writeFileSync(file, 'just text\n');
  const { host } = rig(t, 'good', { definition: { command: file, args: [] } });
  const notExecutable = await problemOf(host.connect());
  assert.equal(notExecutable.kind, 'spawnFailed');
  assert.match(notExecutable.detail, /chmod/);
  writeFileSync(file, '#!/no/such/interpreter\n');
  chmodSync(file, 0o755);
  const noInterpreter = await problemOf(host.connect());
  assert.equal(noInterpreter.kind, 'spawnFailed');
  assert.match(noInterpreter.detail, /ENOENT/);
});

test('a folder and a file with spaces, relative to cwd', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley test '));
  t.after(() => rmSync(folder, { recursive: true }));
  const good = path.join(import.meta.dirname, '../../agents/good.mjs');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${good}' "$@"\n`;
  writeFileSync(path.join(folder, 'my agent'), script, { mode: 0o755 });
  const { host } = rig(t, 'good', {
    workspaceFolder: () => folder,
    definition: { command: './my agent', args: [], cwd: '${workspaceFolder}' },
  });
  await host.connect();
});

test('a missing working directory', async t => {
  const { host } = rig(t, 'good', { definition: { cwd: '/no/such/folder' } });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'badConfiguration');
  assert.match(problem.detail, /\/no\/such\/folder does not exist/);
});

test('an unknown variable', async t => {
  const { host } = rig(t, 'good', { definition: { env: { KEY: '${env:PARLEY_NO_SUCH}' } } });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'badConfiguration');
  assert.match(problem.detail, /PARLEY_NO_SUCH is not set/);
  assert.equal(problem.actions[0], 'editAgents');
});
