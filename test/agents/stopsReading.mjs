// Stops reading its input once a prompt has come, and never answers it.
import { NO_ANSWER, say, serve } from './lib/agent.mjs';

serve({
  'session/prompt': ({ sessionId }) => {
    process.stdin.pause();
    say(sessionId, 'I do not read any more');
    return NO_ANSWER;
  },
});
setInterval(() => undefined, 1e9);
