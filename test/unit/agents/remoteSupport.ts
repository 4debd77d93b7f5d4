/** Chats with agents on servers, and supervisors of them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { RemoteAgent } from '../../../src/agents/definitions';
import { AgentSupervisor, type AgentSupervisorOptions } from '../../../src/agents/supervisor';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from '../session/world';
import { remoteServer, type RemoteServer, type RemoteServerOptions } from './remoteServer';
import { recordingLogger } from './support';

export async function serve(t: TestContext, options: RemoteServerOptions): Promise<RemoteServer> {
  const server = await remoteServer(options);
  t.after(() => server.close());
  return server;
}

export async function chatWith(
  t: TestContext,
  { url }: Pick<RemoteServer, 'url'>,
  options: { readonly connect?: boolean } = {},
): Promise<World> {
  const it = await world({}, { url, ...options });
  t.after(() => it.end());
  return it;
}

/** A supervisor of the agent at `url`, without a chat. */
export function supervise(
  t: TestContext,
  { url, headers = {} }: Pick<RemoteAgent, 'url'> & Partial<RemoteAgent>,
  options: Partial<AgentSupervisorOptions> & { readonly seconds?: number } = {},
) {
  const { log, logger } = recordingLogger();
  const { seconds = 20, ...rest } = options;
  const host = new AgentSupervisor(
    { kind: 'remote', name: 'Remote', url, headers },
    {
      logger,
      processes: {
        add: () => assert.fail('a process was started'),
      } as unknown as AgentSupervisorOptions['processes'],
      environment: { get: () => Promise.resolve({}) },
      settings: () => ({ initializeSeconds: seconds, maxLineBytes: 64 * 1024 }),
      workspaceFolder: () => undefined,
      clientVersion: '0.0.1',
      now: () => Date.now(),
      ...rest,
    },
  );
  t.after(() => host.stop());
  return { host, log };
}

/** Resolves with what is said when the agent is gone. */
export function failureOf(host: AgentSupervisor): Promise<string> {
  return new Promise(resolve => {
    host.onDidChangeStatus(status => {
      if (status.kind === 'failed') resolve(status.problem.detail);
    });
  });
}

export const textOf = (state: SessionState): string =>
  [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])]
    .flatMap(({ parts }) => parts)
    .map(part => (part.kind === 'text' ? part.text : ''))
    .join('');

export const say = (it: World, words: string) => {
  const { length } = it.state.turns;
  it.chat.controller.send(words);
  return {
    ended: () => it.until(state => !state.activeTurn && state.turns.length > length),
  };
};

/** A server that accepts connections and says nothing. */
export async function silentServer(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, at: (scheme: string) => `${scheme}://127.0.0.1:${port}/acp` };
}

/** A network between that loses everything from a moment on, and says nothing about it. */
export async function relay(t: TestContext, { url }: Pick<RemoteServer, 'url'>) {
  const { protocol, port: target } = new URL(url);
  const sockets: Socket[] = [];
  let isLost = false;
  const server = createServer(near => {
    const far = connect(Number(target), '127.0.0.1');
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', data => isLost || to.write(data));
      from.on('error', () => undefined);
      from.on('close', () => isLost || to.destroy());
    }
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${protocol}//127.0.0.1:${port}/acp`,
    lose: () => void (isLost = true),
    /** For connections that are made from now on. */
    find: () => void (isLost = false),
  };
}
