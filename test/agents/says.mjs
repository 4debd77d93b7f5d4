// Answers each prompt with the text of the file that is named as its argument.
import { readFileSync } from 'node:fs';
import { say, serve } from './lib/agent.mjs';

serve({
  'session/prompt': params => {
    say(params.sessionId, readFileSync(process.argv[2], 'utf8'));
    return { stopReason: 'end_turn' };
  },
});
