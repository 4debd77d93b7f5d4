// Asks about a session that does not exist during each turn, and tells what it was answered.
import { say, serve } from './lib/agent.mjs';

const agent = serve({
  'session/prompt': async params => {
    say('nowhere', 'Is anyone there?');
    const answer = await agent.request('fs/read_text_file', {
      sessionId: 'nowhere',
      path: '/etc/hostname',
    });
    say(params.sessionId, JSON.stringify(answer.error));
    return { stopReason: 'end_turn' };
  },
});
