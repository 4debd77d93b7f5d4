// Answers initialize, then ends with code 4 before anything else is asked.
import { send, serve, NO_ANSWER } from './lib/agent.mjs';

serve(
  {
    initialize: (_params, id) => {
      send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
      console.error('gave up right after the handshake');
      process.exitCode = 4;
      process.stdin.destroy();
      return NO_ANSWER;
    },
  },
  { onEnd: () => {} },
);
