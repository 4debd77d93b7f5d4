// Leaves a server that has left it, and a daemon that listens to nobody; a child of its own listens too. Says on which
// port the server listens. `group` leaves it in the agent's own process group; `crash` ends the agent then.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { promptText, say, serve } from './lib/agent.mjs';

const LISTEN =
  "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })";
const DEAF = "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)";

/** What the program says first. Its shell ends at once, so that it belongs to nobody. */
async function leave(script, prefix) {
  const shell = spawn('/bin/sh', ['-c', `${prefix} "$NODE" -e "$SCRIPT" &`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE: process.execPath, SCRIPT: script },
  });
  const [said] = await once(shell.stdout, 'data');
  shell.stdout.destroy();
  return String(said).trim();
}

serve({
  'session/prompt': async params => {
    const text = promptText(params);
    const port = await leave(LISTEN, text.includes('group') ? '' : 'setsid');
    await leave(DEAF, 'setsid');
    const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    if (text.includes('crash')) process.exit(3);
    say(params.sessionId, port);
    return { stopReason: 'end_turn' };
  },
});
