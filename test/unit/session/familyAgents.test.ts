/** What single families of agents do in their own way, as far as a chat shows it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawPeer, text } from '../acp/rawPeer';
import { AcpAgentLink } from '../../../src/agents/backends/acp/agentLink';
import { SessionRouter } from '../../../src/agents/backends/acp/sessionRouter';
import { nullLogger } from '../../../src/base/logger';
import { world } from './world';
import { choose } from './choose';

test('Gemini and its descendants: a mode told in prose, a context of its own, a missing file that is empty', async () => {
  for (const [name, mode, missing, authMethod] of [
    ['gemini-cli', 'current_mode_update', 'empty', 'api-key'],
    ['qwen-code', 'current_mode_update', 'empty', 'openai'],
    // Gemini CLI of 2025 does not say who it is.
    [undefined, 'current_mode_update', 'empty', 'oauth-personal'],
    ['', 'current_mode_update', 'empty', 'qwen-oauth'],
    [undefined, 'agent_message_chunk', 'error', 'api-key'],
    ['another', 'agent_message_chunk', 'error', 'gemini-api-key'],
  ] as const) {
    const kinds: string[] = [];
    const peer = new RawPeer({ sessionUpdate: ({ update }) => kinds.push(update.sessionUpdate) });
    const initializing = peer.connection.initialize({ protocolVersion: 1 });
    const result = {
      protocolVersion: 1,
      ...(name !== undefined && { agentInfo: { name, version: '1' } }),
      authMethods: [{ id: authMethod, name: 'Sign in', description: null }],
    };
    peer.send({ id: (await peer.next()).id, result });
    const link = new AcpAgentLink(
      peer.connection,
      new SessionRouter(nullLogger),
      await initializing,
    );
    assert.equal(link.missingFileAnswer, missing);
    peer.update(text('[MODE_UPDATE] plan'));
    await peer.ask('x', {});
    assert.deepEqual(kinds, [mode], name);

    kinds.length = 0;
    const context = '<session_context>\nThis is the Gemini CLI.\n</session_context>';
    for (const prompt of [
      context,
      '[Function Response: read_file][Function Response: a.b]',
      `${context} is what you told first. Why?`,
      '[Function Response: read_file] is what you said.',
    ]) {
      peer.update(replayed(prompt));
    }
    await peer.ask('x', {});
    const shown = mode === 'current_mode_update' ? 2 : 4;
    assert.equal(kinds.length, shown, "what it tells the model is nobody's prompt");
  }
});

/** What a chat that is taken up again says of an earlier prompt. */
function replayed(prompt: string): object {
  return { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: prompt } };
}

test("terminals of the agent's own, told in `_meta`, are shown with their output and end", async t => {
  const { run, end } = await world();
  t.after(end);
  const told = (meta: object, fields: object = {}) => ({
    update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: meta, ...fields },
  });
  const terminal_id = 't';
  const { terminals } = await run([
    told(
      { terminal_info: { terminal_id, command: 'ls', cwd: '/w' } },
      { title: 'List', content: [{ type: 'terminal', terminalId: 't' }] },
    ),
    told({ terminal_output: { terminal_id, data: 'a\n' } }),
    told({ terminal_output_delta: { terminal_id, data: 'b\n' } }),
    told({ terminal_exit: { terminal_id, exit_code: 3 } }),
  ]);
  const { command, cwd, output, exit, owned } = terminals['t'] ?? {};
  assert.deepEqual(
    { command, cwd, output, code: exit?.exitCode, owned },
    { command: 'ls', cwd: '/w', output: 'a\nb\n', code: 3, owned: false },
  );
});

test('from an agent that sends pieces as deltas, `terminal_output` is all of the output', async t => {
  const { run, end } = await world();
  t.after(end);
  const terminal_id = 't';
  const told = (meta: object) => ({
    update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: meta },
  });
  const { terminals } = await run([
    told({ terminal_info: { terminal_id, command: 'make' } }),
    told({ terminal_output_delta: { terminal_id, data: 'Running in the background.' } }),
    told({ terminal_output: { terminal_id, data: 'one\n' } }),
    told({ terminal_output_delta: { terminal_id, data: 'two\n' } }),
    told({ terminal_exit: { terminal_id, exit_code: null } }),
  ]);
  assert.equal(terminals['t']?.output, 'one\ntwo\n');
  assert.ok(terminals['t'].exit);
});

test('what a command printed is read from the raw result where its terminal got nothing', async t => {
  const { run, end } = await world();
  t.after(end);
  const terminal_id = 't';
  const told = (fields: object) => ({
    update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', kind: 'execute', ...fields },
  });
  const { terminals } = await run([
    told({
      content: [{ type: 'terminal', terminalId: 't' }],
      _meta: { terminal_info: { terminal_id } },
    }),
    told({
      status: 'failed',
      rawOutput: { aggregated_output: 'out\n', exit_code: 3 },
      _meta: { terminal_exit: { terminal_id, exit_code: 3 } },
    }),
  ]);
  assert.equal(terminals['t']?.output, 'out\n');
  assert.equal(terminals['t'].exit?.exitCode, 3);
});

test('a plan that Cursor asks about waits in the chat as any request does, and the turn goes on', async t => {
  const opened = await world();
  t.after(opened.end);
  const plan = { toolCallId: 'c', name: 'Refactor', plan: '1. Look\n2. Change' };
  opened.send([{ ask: { method: 'cursor/create_plan', params: plan } }]);
  const { permissions } = await opened.until(state => state.permissions.length > 0);
  assert.deepEqual(
    permissions.map(({ title, options }) => [title, options.length]),
    [['Refactor', 2]],
  );
  choose(opened.chat.controller, permissions[0]?.id, 'accept');
  const { turns } = await opened.until(state => !state.activeTurn && state.turns.length > 0);
  assert.match(JSON.stringify(turns.at(-1)?.parts[0]), /1\. Look/);
  const said = turns.at(-1)?.parts[1];
  assert.equal(said?.kind === 'text' && said.text, '{"outcome":{"outcome":"accepted"}}');
});
