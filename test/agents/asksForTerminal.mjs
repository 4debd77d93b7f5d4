// Runs the text of the prompt as a command line in the client's terminal and replies with its output.
import { promptText, say, serve } from './lib/agent.mjs';

const agent = serve({
  'session/prompt': async params => {
    const { sessionId } = params;
    const created = await agent.request('terminal/create', {
      sessionId,
      command: promptText(params),
    });
    if (created.error) {
      say(sessionId, created.error.message);
      return { stopReason: 'end_turn' };
    }
    const terminal = { sessionId, terminalId: created.result.terminalId };
    await agent.request('terminal/wait_for_exit', terminal);
    const { result } = await agent.request('terminal/output', terminal);
    await agent.request('terminal/release', terminal);
    say(sessionId, result.output);
    return { stopReason: 'end_turn' };
  },
});
