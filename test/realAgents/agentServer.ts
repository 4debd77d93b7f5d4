/** A real agent behind the official SDK's server: whoever connects talks to a process of the agent's own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { remoteServer, type RemoteServer, type Wire } from '../unit/agents/remoteServer';
import type { Launch } from './rawClient';

export function agentServer(launch: Launch, cwd: string, wire: Wire): Promise<RemoteServer> {
  return remoteServer({ wire, agent: { connect: stream => run(launch, cwd, stream) } });
}

function run({ command, args, env }: Launch, cwd: string, stream: Stream) {
  const agent = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
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
