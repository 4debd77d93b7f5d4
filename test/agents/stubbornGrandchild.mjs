// Starts a child that ignores SIGTERM, and ends well itself. A prompt is answered with the child's pid.
import { say, serve, startStubbornChild } from './lib/agent.mjs';

const pid = await startStubbornChild();
serve({
  'session/prompt': params => {
    say(params.sessionId, String(pid));
    return { stopReason: 'end_turn' };
  },
});
