// Answers a prompt with a line that never ends.
import { NO_ANSWER, serve } from './lib/agent.mjs';

const piece = 'x'.repeat(64 * 1024);

serve({
  'session/prompt': ({ sessionId }) => {
    process.stdout.write(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${sessionId}","update":{"text":"`,
    );
    const write = () => {
      while (process.stdout.write(piece));
    };
    process.stdout.on('drain', write);
    write();
    return NO_ANSWER;
  },
});
