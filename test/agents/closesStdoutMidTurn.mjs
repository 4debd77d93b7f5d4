// Closes its stdout during a turn, but stays.
import { closeSync } from 'node:fs';
import { NO_ANSWER, serve } from './lib/agent.mjs';

setInterval(() => {}, 1e9);
serve({
  'session/prompt': () => {
    closeSync(1);
    return NO_ANSWER;
  },
});
