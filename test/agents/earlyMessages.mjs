// Speaks of a session before it has answered session/new: an update and a permission request.
import { say, serve, update } from './lib/agent.mjs';

const agent = serve({
  'session/new': () => {
    const sessionId = 'early';
    update(sessionId, {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'early', description: 'Sent before the response' }],
    });
    void agent
      .request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 'call-1', title: 'Look around' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      })
      .then(answer => say(sessionId, JSON.stringify(answer.result ?? answer.error)));
    return { sessionId };
  },
});
