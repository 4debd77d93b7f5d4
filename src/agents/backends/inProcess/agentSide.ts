/**
 * Agents that run inside Parley: a backend that translates another protocol is an ACP agent to all above it, with
 * a wire in memory. So limits, traffic and sessions are the same as with an agent that speaks ACP itself.
 */
import { RpcPeer } from '../../../acp/rpc/rpcPeer';
import { ClientMethod } from '../../../acp/schema/methods';
import { stdioTransport } from '../../../acp/transport/stdioTransport';
import { Deferred } from '../../../base/deferred';
import type { Logger } from '../../../base/logger';
import { startFailed } from '../../problems';
import * as problems from '../../startProblems';
import type { Endpoint } from '../acp/endpoint';
import { Wire } from './wire';

/** The agent: what a backend implements. */
export interface InProcessAgent {
  /**
   * @param signal aborts when the client does not wait for the answer any more
   * @throws RequestError what the client is answered
   */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  notification(method: string, params: unknown): void;
  /** The last lines of what its programs wrote beside their messages. */
  output(): readonly string[];
  /** Resolves when nothing is left. Never rejects. */
  stop(): Promise<void>;
}

/** The client, as such an agent has it. Nothing here rejects because the client is gone, but for requests. */
export interface InProcessClient {
  /** Resolves when the client has room for more: who has much to say waits for it. */
  update(sessionId: string, update: object): Promise<void>;
  notify(method: string, params: object): Promise<void>;
  /** @throws RequestError what the client answered, also when `signal` aborts */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
}

/** Where the agent that `make` makes is heard and spoken to. @param name the agent's, for users */
export function inProcessEndpoint(
  name: string,
  logger: Logger,
  make: (client: InProcessClient) => InProcessAgent,
): Endpoint {
  const [fromAgent, toAgent] = [new Wire(), new Wire()];
  const stopping = new Deferred<void>();
  let agent: InProcessAgent | undefined;
  let peer: RpcPeer | undefined;

  const notify = async (method: string, params: object): Promise<void> => {
    await peer
      ?.notify(method, params)
      .catch(() => logger.debug(`${name}: ${method} came after the end`));
  };
  const client: InProcessClient = {
    update(sessionId, update) {
      fromAgent.gather();
      void notify(ClientMethod.sessionUpdate, { sessionId, update });
      return fromAgent.room();
    },
    notify,
    request: (method, params, signal) =>
      peer?.request(method, params, signal) ?? Promise.reject(new Error('Not connected')),
  };

  return {
    transport(options) {
      const made = make(client);
      agent = made;
      const own = stdioTransport(toAgent, fromAgent, {
        // What Parley itself sends is as long as it likes.
        maxLineBytes: Number.MAX_SAFE_INTEGER,
        onJunk: line => logger.warn(`${name}: no message: ${line}`),
      });
      const shapes = { read: (value: unknown) => value, write: (params: object) => params };
      peer = new RpcPeer(own, made, logger, shapes);
      return stdioTransport(fromAgent, toAgent, options);
    },
    ending: stopping.promise,
    problems: {
      notAcp: (evidence, output) => startFailed(name, [evidence, ...output].join('\n')),
      timedOut: (seconds, output) => problems.initializeTimeout(name, seconds, output),
      closedEarly: (reason, output) => problems.disconnected(name, reason, output),
      disconnected: (reason, output) => problems.disconnected(name, reason, output),
    },
    output: () => agent?.output() ?? [],
    async stop() {
      stopping.resolve();
      await agent?.stop();
      peer?.dispose();
      fromAgent.end();
      toAgent.end();
    },
  };
}
