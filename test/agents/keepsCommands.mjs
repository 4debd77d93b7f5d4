// Runs the prompt as a command line, and says `up` when that has printed something. A cancel is answered at once; the command
// runs on, but for a prompt that begins with `end `. One that begins with `leave ` is answered while the command runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { promptText, say, serve } from './lib/agent.mjs';

/** By session: what a cancel does. */
const cancels = new Map();

serve({
  'session/prompt': async ({ sessionId, ...params }) => {
    const [, word, line] = /^(end |leave |)(.*)$/.exec(promptText(params));
    const command = spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
    const cancelled = new Promise(resolve => cancels.set(sessionId, resolve));
    await once(command.stdout, 'data');
    say(sessionId, 'up');
    if (word === 'leave ') return { stopReason: 'end_turn' };
    await cancelled;
    if (word === 'end ') command.kill();
    return { stopReason: 'cancelled' };
  },
  'session/cancel': ({ sessionId }) => cancels.get(sessionId)?.(),
});
