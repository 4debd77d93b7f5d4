// Leaves programs that have left it: in a session of their own, with their parent gone, deaf to SIGTERM. A prompt is
// answered once they run; `crash` ends the agent, its programs stay; `open` and a command starts that, too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { promptText, say, serve } from './lib/agent.mjs';

const DEAF = "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)";

serve({
  'session/prompt': async params => {
    const text = promptText(params);
    for (const command of [
      ...(text.startsWith('open ') ? [`setsid ${text.slice('open '.length)} &`] : []),
      // Started by a shell that ends at once, so that it belongs to nobody.
      `setsid "$NODE" -e "$DEAF" &`,
      `("$NODE" -e "$DEAF" &)`,
    ]) {
      const shell = spawn('/bin/sh', ['-c', command], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, NODE: process.execPath, DEAF },
      });
      await once(shell.stdout, 'data');
      shell.stdout.destroy();
    }
    if (text === 'crash') process.exit(3);
    say(params.sessionId, 'left');
    return { stopReason: 'end_turn' };
  },
});
