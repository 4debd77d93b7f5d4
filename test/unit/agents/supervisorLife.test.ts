import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat, problemOf, prompt, rig, statusOf } from './support';

test('concurrent callers share one start, later ones the process', async t => {
  const { host, running } = rig(t, 'good');
  const links = await Promise.all([host.connect(), host.connect(), host.connect()]);
  assert.equal(new Set(links).size, 1);
  assert.equal(await host.connect(), links[0]);
  assert.equal(running().length, 1);
});

test('an abort concerns its caller only', async t => {
  const { host } = rig(t, 'good');
  const abort = new AbortController();
  const mine = host.connect(abort.signal);
  const other = host.connect();
  abort.abort();
  await assert.rejects(mine, { name: 'AbortError' });
  await other;
  assert.equal(host.status.kind, 'ready');
});

test('when nobody waits any more, the start is given up', async t => {
  const { host, running } = rig(t, 'neverInitializes', { initializeSeconds: 600 });
  const abort = new AbortController();
  const connecting = host.connect(abort.signal);
  host.onDidChangeStatus(status => {
    if (status.kind === 'starting' && status.step === 'initialize') abort.abort();
  });
  await assert.rejects(connecting, { name: 'AbortError' });
  await statusOf(host, 'stopped');
  await host.stop();
  assert.deepEqual(running(), []);
});

test('an aborted signal starts nothing', async t => {
  const { host, statuses } = rig(t, 'good');
  await assert.rejects(host.connect(AbortSignal.abort()), { name: 'AbortError' });
  assert.deepEqual(statuses, []);
});

test('stop during the start tells those who wait', async t => {
  const { host } = rig(t, 'neverInitializes', { initializeSeconds: 600 });
  const connecting = problemOf(host.connect());
  host.onDidChangeStatus(status => {
    if (status.kind === 'starting' && status.step === 'initialize') void host.stop();
  });
  const problem = await connecting;
  assert.match(problem.title, /was stopped/);
  assert.equal(host.status.kind, 'stopped');
});

test('a connect during a stop waits for it and starts a new process', async t => {
  const { host, running } = rig(t, 'stubborn');
  await host.connect();
  const [first] = running();
  void host.stop();
  await host.connect();
  const after = running();
  assert.equal(after.length, 1);
  assert.notEqual(after[0], first);
});

test('a connect right after a start was given up begins a new one', async t => {
  const { host, running } = rig(t, 'stubborn');
  const abort = new AbortController();
  const given = host.connect(abort.signal);
  host.onDidChangeStatus(status => {
    if (status.kind === 'starting' && status.step === 'initialize') abort.abort();
  });
  await assert.rejects(given, { name: 'AbortError' });
  await host.connect();
  assert.equal(host.status.kind, 'ready');
  assert.equal(running().length, 1);
});

test('a failure stays to be seen when the lease ends, and counts for the back-off', async t => {
  const { host } = rig(t, 'killedMidTurn');
  for (let i = 0; i < 4; i++) {
    const lease = host.lease();
    const link = await host.connect();
    const { sessionId } = await Chat.open(link);
    await problemOf(link.prompt(prompt(sessionId, 'hello')));
    lease.dispose();
    assert.equal(host.status.kind, 'failed');
  }
  assert.match((await problemOf(host.connect())).title, /keeps crashing/);
});

test('the last lease stops the process', async t => {
  const { host, running } = rig(t, 'good');
  const [a, b] = [host.lease(), host.lease()];
  await host.connect();
  a.dispose();
  a.dispose();
  assert.equal(host.status.kind, 'ready');
  b.dispose();
  await host.stop();
  assert.equal(host.status.kind, 'stopped');
  assert.deepEqual(running(), []);
});

for (const name of ['good', 'stubborn', 'slowShutdown', 'talksWhileEnding']) {
  test(`nothing is left of ${name} once it has stopped`, async t => {
    const { host, running, statuses } = rig(t, name);
    await host.connect();
    await host.stop();
    assert.deepEqual(running(), []);
    assert.equal(statuses.at(-1)?.kind, 'stopped');
  });
}

for (const name of ['stubbornGrandchild', 'detachedGrandchild']) {
  test(`nothing is left of ${name} once it has stopped`, async t => {
    const { host, running } = rig(t, name);
    await host.connect();
    assert.equal(running().length, 2);
    await host.stop();
    assert.deepEqual(running(), []);
  });

  test(`${name} is gone at once when there is no time`, async t => {
    const { host, running, processes } = rig(t, name);
    await host.connect();
    const failed = statusOf(host, 'failed');
    processes.killAllNow();
    await failed;
    await host.stop();
    assert.deepEqual(running(), []);
  });
}

test('requests that were open at a stop are rejected', async t => {
  const { host } = rig(t, 'neverAnswersPrompt');
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  const prompting = problemOf(link.prompt(prompt(sessionId, 'hello')));
  await chat.received(1);
  await host.stop();
  assert.match((await prompting).title, /was stopped/);
  await problemOf(link.prompt(prompt(sessionId, 'again')));
});

test('a crash in a turn: status and open requests tell the cause', async t => {
  const { host, log } = rig(t, 'crashesMidTurn');
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  const problem = await problemOf(link.prompt(prompt(sessionId, 'hello')));
  assert.equal(problem.kind, 'crashed');
  assert.match(problem.detail, /exit code 7/);
  assert.deepEqual(problem.output, ['Error: out of luck', '    at turn (agent.js:12:3)']);
  assert.equal(problem.actions[0], 'restart');
  assert.equal(chat.text, 'Half a rep');
  assert.deepEqual(host.status, { kind: 'failed', problem });
  assert.ok(log.some(line => line.includes('exit code 7')));
  await problemOf(link.newSession({ cwd: '/', mcpServers: [] }));
});

test('a crash by a signal names the signal', async t => {
  const { host } = rig(t, 'killedMidTurn');
  const link = await host.connect();
  const { sessionId } = await Chat.open(link);
  const problem = await problemOf(link.prompt(prompt(sessionId, 'hello')));
  assert.match(problem.detail, /SIGKILL/);
});

test('an exit right after the handshake is a crash with its last words', async t => {
  const { host } = rig(t, 'exitsAfterInitialize');
  await host.connect();
  const { problem } = await statusOf(host, 'failed');
  assert.equal(problem.kind, 'crashed');
  assert.match(problem.detail, /exit code 4/);
  assert.deepEqual(problem.output, ['gave up right after the handshake']);
});

test('what a crashed agent leaves behind is killed', async t => {
  const { host, running } = rig(t, 'crashLeavesChild');
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  const problem = await problemOf(link.prompt(prompt(sessionId, 'hello')));
  assert.match(problem.detail, /exit code 9/);
  assert.match(chat.text, /^\d+$/);
  await host.stop();
  assert.deepEqual(running(), []);
});

test('an agent that closes its output in a turn is stopped', async t => {
  const { host, running } = rig(t, 'closesStdoutMidTurn');
  const link = await host.connect();
  const { sessionId } = await Chat.open(link);
  const problem = await problemOf(link.prompt(prompt(sessionId, 'hello')));
  assert.equal(problem.kind, 'disconnected');
  await host.stop();
  assert.deepEqual(running(), []);
});

test('a line over the limit is left out; the turn ends as the agent says', async t => {
  const { host } = rig(t, 'hugeLine', { maxLineBytes: 1024 * 1024 });
  const link = await host.connect();
  const { sessionId } = await Chat.open(link);
  const response = await link.prompt(prompt(sessionId, 'hello'));
  assert.equal(response.stopReason, 'end_turn');
  assert.equal(host.status.kind, 'ready');
});

test('a crash restarts on request, at most three times in three minutes', async t => {
  const { host, statuses } = rig(t, 'killedMidTurn');
  const crash = async () => {
    const link = await host.connect();
    const { sessionId } = await Chat.open(link);
    await problemOf(link.prompt(prompt(sessionId, 'hello')));
  };
  await crash();
  await crash();
  await crash();
  await crash();
  const problem = await problemOf(host.connect());
  assert.match(problem.title, /keeps crashing/);
  assert.equal(host.status.kind, 'failed');
  const starts = statuses.filter(status => status.kind === 'ready').length;
  assert.equal(starts, 4);
  // A person's restart is stop and connect: it begins anew.
  await host.stop();
  await host.connect();
  assert.equal(host.status.kind, 'ready');
});

test('messages about a session that come before its response are kept', async t => {
  const { host } = rig(t, 'earlyMessages');
  const link = await host.connect();
  const { chat } = await Chat.open(link);
  await chat.received(2);
  assert.equal(chat.updates[0]?.sessionUpdate, 'available_commands_update');
  assert.equal(chat.text, '{"outcome":{"outcome":"selected","optionId":"yes"}}');
});

test('requests about a session that does not exist are refused, and the turn goes on', async t => {
  const { host } = rig(t, 'unknownSession');
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  await link.prompt(prompt(sessionId, 'hello'));
  assert.equal(chat.text, '{"code":-32002,"message":"Unknown session: nowhere"}');
});

test('what is asked for a session that nobody announced is asked in the chat that was heard last', async t => {
  const { host } = rig(t, 'asksUnannounced');
  const link = await host.connect();
  const [one, two] = [await Chat.open(link), await Chat.open(link)];
  for (const { chat, sessionId } of [two, one]) {
    await link.prompt(prompt(sessionId, 'hello'));
    assert.equal(chat.text, 'I ask. {"outcome":{"outcome":"selected","optionId":"yes"}}');
  }
});

test('sign-in methods are listed with their kinds', async t => {
  const { host } = rig(t, 'authMethods');
  assert.deepEqual(host.authMethods(), []);
  const link = await host.connect();
  assert.deepEqual(host.authMethods(), [
    {
      id: 'oauth',
      name: 'Sign in with the browser',
      description: 'Opens a page',
      type: 'agent',
    },
    { id: 'tui', name: 'Sign in in a terminal', type: 'terminal' },
    { id: 'broken', name: 'Fails', type: 'terminal' },
    { id: 'elsewhere', name: 'Another program', type: 'terminal' },
    { id: 'key', name: 'API key', type: 'env_var' },
  ]);
  await link.authenticate({ methodId: 'oauth' });
});

test('an error of the agent passes as it is', async t => {
  const { host } = rig(t, 'good');
  const link = await host.connect();
  await assert.rejects(link.setMode({ sessionId: 'x', modeId: 'y' }), { code: -32601 });
  assert.equal(host.status.kind, 'ready');
});
