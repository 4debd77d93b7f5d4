// Starts a child in a process group of its own (as agents do for their shells), which ignores SIGTERM. A
// prompt is answered with the child's pid.
import { say, serve, startStubbornChild } from './lib/agent.mjs';

const pid = await startStubbornChild({ detached: true });
serve({
  'session/prompt': params => {
    say(params.sessionId, String(pid));
    return { stopReason: 'end_turn' };
  },
});
