// Never answers session/prompt, not even after session/cancel.
import { NO_ANSWER, say, serve } from './lib/agent.mjs';

serve({
  'session/prompt': params => {
    say(params.sessionId, 'Thinking about it…');
    return NO_ANSWER;
  },
});
