/** ACP v2 over each wire: an agent on the SDK's side of v2, behind the SDK's server. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { agentServer } from '../../realAgents/agentServer';
import { choose } from '../session/choose';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { WIRES } from './remoteServer';
import { chatWith } from './remoteSupport';

const AGENT = {
  command: process.execPath,
  args: [resolve('test/agents/version2.mjs')],
  env: { PROGRAM: '{}' },
};

const says = (messageId: string, text: string) => ({
  update: {
    sessionUpdate: 'agent_message_chunk',
    messageId,
    content: { type: 'text', text },
  },
});
const texts = (state: SessionState) =>
  allTurns(state).flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])),
  );

for (const wire of WIRES) {
  test(`${wire}: turns, requests and what is said meanwhile`, async t => {
    const server = await agentServer(AGENT, tmpdir(), wire);
    t.after(() => server.close());
    const it = await chatWith(t, server);
    const { initialized } = await it.agent.connect();
    assert.equal(initialized.protocolVersion, 2);

    it.send([says('a', 'one '), ASK, { take: true }, says('a', 'two')]);
    const { permissions } = await it.until(({ permissions: asked }) => asked.length > 0);
    choose(it.chat.controller, permissions[0]?.id, 'yes');
    it.chat.controller.send('left');
    const state = await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(state.turns.length, 1);
    assert.equal(state.turns[0]?.end?.reason, 'end_turn');
    assert.match(texts(state).join('|'), /one .*"selected".*heard left.*two/s);

    it.send([says('b', 'three'), { waitCancel: true }]);
    await it.until(each => texts(each).includes('three'));
    it.chat.controller.stop();
    const stopped = await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(stopped.turns[1]?.end?.reason, 'cancelled');
  });
}

const ASK = {
  ask: {
    method: 'session/request_permission',
    params: {
      title: 'Go on?',
      subject: { type: 'command', command: 'true', cwd: '/' },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    },
  },
};
