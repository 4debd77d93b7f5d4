// Its sessions have numbers, and it asks for permission with nothing to choose from.
import { serve } from './lib/agent.mjs';

let sessions = 40;
const say = (sessionId, text) =>
  process.stdout.write(
    `${JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      },
    })}\n`,
  );
const known = sessionId => {
  if (typeof sessionId === 'number') return;
  throw Object.assign(new Error(`Unknown session ${JSON.stringify(sessionId)}`), { code: -32002 });
};

const agent = serve({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': () => ({ sessionId: ++sessions }),
  'session/load': ({ sessionId }) => {
    known(sessionId);
    say(sessionId, `Loaded ${sessionId}.`);
    return {};
  },
  'session/prompt': async ({ sessionId }) => {
    known(sessionId);
    const asked = await agent.request('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: 7, title: 'Go on' },
    });
    // The same session as a text.
    say(String(sessionId), JSON.stringify(asked.result));
    return { stopReason: 'end_turn' };
  },
});
