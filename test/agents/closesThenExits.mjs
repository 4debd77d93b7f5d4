// Closes its stdout during a turn, and ends a moment later, as a program on a busy machine does.
import { closeSync } from 'node:fs';
import { NO_ANSWER, serve } from './lib/agent.mjs';

serve({
  'session/prompt': () => {
    closeSync(1);
    setTimeout(() => process.exit(7), 500);
    return NO_ANSWER;
  },
});
