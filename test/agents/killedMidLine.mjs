// Is killed by a signal in the middle of writing a message.
import { writeSync } from 'node:fs';
import { NO_ANSWER, say, serve } from './lib/agent.mjs';

serve({
  'session/prompt': ({ sessionId }) => {
    say(sessionId, 'Half a rep');
    // Once what was said is out.
    process.stdout.write('', () => {
      writeSync(
        1,
        `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${sessionId}`,
      );
      process.kill(process.pid, 'SIGKILL');
    });
    return NO_ANSWER;
  },
});
