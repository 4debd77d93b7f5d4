// Answers a prompt with a message of 40 MB in one line (Parley's default limit is 32 MiB).
import { say, serve } from './lib/agent.mjs';

serve({
  'session/prompt': params => {
    say(params.sessionId, 'x'.repeat(40 * 1024 * 1024));
    return { stopReason: 'end_turn' };
  },
});
