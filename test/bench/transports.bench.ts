import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { agentServer } from '../realAgents/agentServer';
import { WIRES } from '../unit/agents/remoteServer';
import { world, type World } from '../unit/session/world';
import type { Row } from './wire.bench';

const UPDATES = 3_000;
const ROUNDS = 5;

/** An agent that streams what the prompt says; the same program over every wire. */
const AGENT = {
  command: process.execPath,
  args: [resolve('test/unit/session/programAgent.mjs')],
  env: { PROGRAM: '{}' },
};

/**
 * A turn of thousands of updates, from the prompt to its end, over each wire: that of stdio against it. A ratio of 1 is
 * as fast as stdio. The server stands between the agent and Parley, in this process, and its work counts.
 */
export async function benchTransports(): Promise<Row[]> {
  const chats: [string, World][] = [['stdio', await world()]];
  const servers: { close(): Promise<void> }[] = [];
  for (const wire of WIRES) {
    const server = await agentServer(AGENT, tmpdir(), wire);
    servers.push(server);
    chats.push([wire, await world({}, { url: server.url })]);
  }
  const times = new Map<string, number[]>();
  // In turns, and the best of each: whatever else the machine does hits all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, chat] of chats) {
      const start = performance.now();
      await chat.run([STREAM]);
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  }
  for (const [, chat] of chats) await chat.end();
  for (const server of servers) await server.close();
  const best = (name: string) => Math.min(...(times.get(name) ?? [NaN]));
  return [
    ...WIRES.map(wire => ({
      name: `${wire}: speed against stdio`,
      value: best('stdio') / best(wire),
      unit: '×',
    })),
    { name: `stdio, ${UPDATES} updates of 24 characters`, value: best('stdio'), unit: 'ms' },
  ];
}

const STREAM = {
  updates: {
    count: UPDATES,
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'x'.repeat(24) },
    },
  },
};
