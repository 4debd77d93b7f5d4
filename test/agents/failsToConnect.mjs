// Needs its service, which it cannot reach: goes through the proxy of its environment, says what went wrong, and ends:
// at its start, or in a turn (`turn` as its argument), or answers the prompt with the error (`answer`).
import { connect } from 'node:net';
import { serve } from './lib/agent.mjs';

const [, , when = 'start'] = process.argv;
const address = process.env.HTTPS_PROXY ?? process.env.HTTP_PROXY ?? process.env.ALL_PROXY;

function reach() {
  const { hostname, port } = new URL(address ?? 'http://127.0.0.1:1');
  return new Promise((resolve, reject) => {
    connect(Number(port), hostname).on('connect', resolve).on('error', reject);
  });
}

async function reachOrEnd() {
  try {
    await reach();
  } catch (error) {
    process.stderr.write(`Error: ${error.message}\n`, () => process.exit(1));
    await new Promise(() => undefined);
  }
}

if (when === 'start') await reachOrEnd();
serve({
  'session/prompt': async () => {
    if (when === 'answer') await reach();
    else await reachOrEnd();
    return { stopReason: 'end_turn' };
  },
});
