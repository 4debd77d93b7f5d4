// Dies during a turn and leaves a child behind that holds its streams open and ignores SIGTERM. The child's
// pid is the last thing it says.
import { NO_ANSWER, say, serve, startStubbornChild } from './lib/agent.mjs';

serve({
  'session/prompt': async params => {
    const pid = await startStubbornChild({ stdio: ['inherit', 'pipe', 'inherit'] });
    say(params.sessionId, String(pid));
    process.stdout.write('', () => process.exit(9));
    return NO_ANSWER;
  },
});
