/** What a chat goes through, again and again: work that has to come out right, and faults that must cost the others nothing. */
import assert from 'node:assert/strict';
import type { AgentSupervisor } from '../../src/agents/supervisor';
import { listProcesses } from '../../src/agents/process/processTable';
import { HOST_MARK, marksAgent, withMark } from '../../src/agents/process/processMark';
import type { Chat } from '../../src/session/chats';
import type { SessionState } from '../../src/session/state/state';
import { choose } from '../unit/session/choose';
import { untilState } from '../unit/session/world';

export type Scene = (chat: Chat, agent: AgentSupervisor) => Promise<void>;

const MEGABYTE = 1024 * 1024;
const done = { respond: { stopReason: 'end_turn' } };
const piece = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});
const call = { sessionUpdate: 'tool_call', toolCallId: 'call$N', title: 'Step $N' };

function send({ controller }: Chat, steps: readonly unknown[]): void {
  controller.send(JSON.stringify(steps));
}

async function run(chat: Chat, steps: readonly unknown[]): Promise<SessionState> {
  const { length } = chat.store.state.turns;
  send(chat, steps);
  return untilState(chat.store, state => !state.activeTurn && state.turns.length > length);
}

function textOf({ turns }: SessionState): string {
  return (turns.at(-1)?.parts ?? []).map(part => (part.kind === 'text' ? part.text : '')).join('');
}

async function saysStill(chat: Chat): Promise<void> {
  assert.equal(textOf(await run(chat, [{ update: piece('still here') }, done])), 'still here');
}

/** Runs `script` in a terminal of the client, and lets go of it. */
const shell = (script: string) => [
  { ask: { method: 'terminal/create', params: { command: '/bin/sh', args: ['-c', script] } } },
  { ask: { method: 'terminal/wait_for_exit', params: { terminalId: '$LAST' } }, quiet: true },
];

export const WORK: Readonly<Record<string, Scene>> = {
  async 'a reply in many pieces'(chat) {
    const updates = { count: 2_000, update: piece('$N,') };
    const expected = Array.from({ length: 2_000 }, (_, n) => `${n},`).join('');
    assert.equal(textOf(await run(chat, [{ updates }, done])), expected);
  },
  async 'many calls of tools'(chat) {
    const state = await run(chat, [{ updates: { count: 300, update: call } }, done]);
    assert.equal(state.turns.at(-1)?.parts.length, 300);
  },
  async 'a command that changes a file'(chat) {
    await run(chat, [...shell('date +%N >> changed.txt; seq 2000'), done]);
  },
  async 'a file written through the editor'(chat) {
    const { cwd } = chat.store.state;
    const params = { path: `${cwd}/written.txt`, content: `${Math.random()}\n` };
    await run(chat, [{ ask: { method: 'fs/write_text_file', params } }, done]);
  },
  async 'a permission'(chat) {
    const params = {
      toolCall: { toolCallId: 'asked', title: 'May I?', status: 'pending' },
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    };
    send(chat, [{ ask: { method: 'session/request_permission', params } }, done]);
    const { permissions } = await untilState(chat.store, state => state.permissions.length > 0);
    assert.ok(choose(chat.controller, permissions[0]?.id, 'yes'));
    await untilState(chat.store, state => !state.activeTurn);
  },
};

export const FAULTS: Readonly<Record<string, Scene>> = {
  async 'a crash in a turn'(chat, agent) {
    send(chat, [{ update: piece('half') }, { exit: 7 }]);
    await untilState(chat.store, ({ connection }) => connection.kind === 'failed');
    await again(chat, agent);
  },
  async 'a kill in the middle of a message'(chat, agent) {
    send(chat, [{ updates: { count: 1e6, update: piece('$N,') } }]);
    await untilState(chat.store, state => state.activeTurn?.parts.length);
    for (const { pid } of withMark(mark => marksAgent(mark, agent.name), listProcesses())) {
      process.kill(pid, 'SIGKILL');
    }
    await untilState(chat.store, ({ connection }) => connection.kind === 'failed');
    await again(chat, agent);
  },
  async 'a turn that never ends'(chat) {
    send(chat, [{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
    await untilState(chat.store, state => state.activeTurn);
    chat.controller.stop();
    await untilState(chat.store, state => !state.activeTurn);
    await saysStill(chat);
  },
  async 'a line longer than may be'(chat) {
    await run(chat, [{ big: 3 * MEGABYTE, update: piece('$BIG') }, done]);
    await saysStill(chat);
  },
  async 'a large output'(chat) {
    const content = [{ type: 'content', content: { type: 'text', text: '$BIG' } }];
    await run(chat, [{ big: MEGABYTE / 2, update: { ...call, content } }, done]);
    await saysStill(chat);
  },
  async 'a flood of requests'(chat) {
    const params = { toolCall: { toolCallId: 'call$N' }, options: [] };
    const flood = { method: 'session/request_permission', params, count: 1_000 };
    send(chat, [{ flood }, done]);
    await untilState(chat.store, state => state.permissions.length > 0);
    chat.controller.stop();
    await untilState(chat.store, state => !state.activeTurn);
    await saysStill(chat);
  },
  async 'commands that run on'(chat) {
    const params = { command: '/bin/sh', args: ['-c', 'setsid sleep 600 & sleep 600'] };
    await run(chat, [{ flood: { method: 'terminal/create', params, count: 8 } }, done]);
    for (const id of Object.keys(chat.store.state.terminals)) {
      await chat.controller.killTerminal(id);
    }
  },
  async 'lines that are no messages'(chat) {
    await run(chat, [{ send: { nonsense: 'x'.repeat(10_000) } }, done]);
    await saysStill(chat);
  },
};

/** The user's own restart, after which no crash counts any more. */
async function again(chat: Chat, agent: AgentSupervisor): Promise<void> {
  await agent.stop();
  assert.equal(
    withMark(mark => marksAgent(mark, agent.name), listProcesses()).length,
    0,
    HOST_MARK,
  );
  await chat.controller.connect();
  await saysStill(chat);
}
