/** The agent on the server of `remoteServer.ts`; what it does in a turn is the first word of the prompt. */
import { randomUUID } from 'node:crypto';
import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
} from '@agentclientprotocol/sdk';

export interface RemoteAgentOptions {
  /** What `initialize` answers besides. */
  readonly initialized?: object;
  /** Refuses to begin with a newer version than it knows, instead of saying which it knows. */
  readonly refusesNewer?: boolean;
}

/** How many updates a session is that is loaded. */
export const REPLAYED = 500;

/** @param events gets answers of the client to what the agent asked, and what else happened, in order */
export function remoteAgent(events: unknown[], options: RemoteAgentOptions): AgentApp {
  const cancels = new Map<string, () => void>();
  return agent({ name: 'remote' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      if (options.refusesNewer === true && params.protocolVersion > PROTOCOL_VERSION) {
        throw RequestError.invalidParams({ protocolVersion: params.protocolVersion });
      }
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'remote', version: '1' },
        agentCapabilities: {},
        ...options.initialized,
      };
    })
    .onRequest(methods.agent.authenticate, ({ params }) => {
      events.push({ authenticated: params.methodId });
      return {};
    })
    .onRequest(methods.agent.session.new, async ({ client }) => {
      const sessionId = randomUUID();
      // Before anybody knows that there is such a session.
      await client.notify(methods.client.session.update, {
        sessionId,
        update: {
          sessionUpdate: 'available_commands_update',
          availableCommands: [{ name: 'early', description: 'Said before the session was' }],
        },
      });
      return { sessionId };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { sessionId } = params;
      for (let index = 0; index < REPLAYED; index += 1) {
        const content = { type: 'text' as const, text: `${index} ` };
        await client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content },
        });
      }
      return {};
    })
    .onRequest(methods.agent.session.close, () => ({}))
    .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params;
      const [what = '', ...words] = (prompt[0]?.type === 'text' ? prompt[0].text : '').split(' ');
      const rest = words.join(' ');
      const say = (text: string) =>
        client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        });
      switch (what) {
        case 'stream':
          for (let index = 0; index < 100; index += 1) await say(`${index} `);
          break;
        case 'ask':
          events.push(
            await client.request(methods.client.session.requestPermission, {
              sessionId,
              toolCall: { toolCallId: 'call', title: 'Do it', kind: 'edit', status: 'pending' },
              options: [
                { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
                { optionId: 'no', name: 'Reject', kind: 'reject_once' },
              ],
            }),
          );
          break;
        case 'copy': {
          const [from = '', to = ''] = words;
          const read = { sessionId, path: from };
          const { content } = await client.request<{ content: string }>(
            methods.client.fs.readTextFile,
            read,
          );
          const write = { sessionId, path: to, content: content.toUpperCase() };
          await client.request(methods.client.fs.writeTextFile, write);
          break;
        }
        case 'say':
          await say('x'.repeat(Number(rest)));
          break;
        case 'wait':
          await say('waiting');
          await new Promise<void>(resolve => cancels.set(sessionId, resolve));
          return { stopReason: 'cancelled' };
        default:
          await say(`${what} ${rest}`.trim());
      }
      return { stopReason: 'end_turn' };
    });
}
