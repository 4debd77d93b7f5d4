// Is killed by a signal during a turn, as by the system when memory runs out.
import { NO_ANSWER, serve } from './lib/agent.mjs';

serve({
  'session/prompt': () => {
    process.kill(process.pid, 'SIGKILL');
    return NO_ANSWER;
  },
});
