/** A real agent behind the official SDK's server: whoever connects talks to a process of the agent's own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import {
  remoteServer,
  type RemoteServer,
  type RemoteServerOptions,
  type Wire,
} from '../unit/agents/remoteServer';
import type { Launch } from './rawClient';

export async function agentServer(
  launch: Launch,
  cwd: string,
  wire: Wire,
  options: Omit<RemoteServerOptions, 'wire' | 'agent'> = {},
): Promise<RemoteServer> {
  const agents: ChildProcess[] = [];
  const connect = (stream: Stream) => run(launch, cwd, stream, agents);
  const server = await remoteServer({ ...options, wire, agent: { connect } });
  const close = server.close.bind(server);
  return Object.assign(server, {
    close: async () => {
      await close();
      // Some do not end with their input.
      for (const agent of agents) agent.kill('SIGKILL');
    },
  });
}

function run({ command, args, env }: Launch, cwd: string, stream: Stream, agents: ChildProcess[]) {
  const agent = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  agents.push(agent);
  const own = ndJsonStream(
    Writable.toWeb(agent.stdin),
    Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>,
  );
  const ended = once(agent, 'close');
  // The agent ends when its input does, which the server closes with the connection.
  void stream.readable.pipeTo(own.writable).catch(() => agent.kill());
  void own.readable.pipeTo(stream.writable).catch(() => undefined);
  return { closed: ended.then(() => undefined) };
}
