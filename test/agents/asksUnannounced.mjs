// Asks for permission for a session that it never announced, as for a subagent, and says what it was answered.
import { say, serve } from './lib/agent.mjs';

const agent = serve({
  'session/prompt': async params => {
    say(params.sessionId, 'I ask. ');
    const { result, error } = await agent.request('session/request_permission', {
      sessionId: `child of ${params.sessionId}`,
      toolCall: { toolCallId: 't', title: 'Edit' },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    });
    say(params.sessionId, JSON.stringify(result ?? error));
    return { stopReason: 'end_turn' };
  },
});
