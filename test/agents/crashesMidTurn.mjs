// Streams half a reply, then dies with code 7 and a stack trace on stderr.
import { NO_ANSWER, say, serve } from './lib/agent.mjs';

serve({
  'session/prompt': params => {
    say(params.sessionId, 'Half a rep');
    process.stderr.write('Error: out of luck\n    at turn (agent.js:12:3)\n', () => {
      process.stdout.write('', () => process.exit(7));
    });
    return NO_ANSWER;
  },
});
