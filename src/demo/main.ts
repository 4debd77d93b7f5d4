/**
 * Entry of the built-in demo agent, a program of its own: ACP over stdin and stdout.
 *
 * PARLEY_DEMO_DATA  folder in which sessions outlive the process (default: none, memory only)
 * PARLEY_DEMO_PACE  factor on the waiting between pieces of an answer (default 1; 0 in tests)
 */
import { DemoAgent } from './agent';
import { Peer } from './peer';

/** The agent ships with the extension but changes at its own rate. */
const VERSION = '1.0.0';

async function main(): Promise<void> {
  const { PARLEY_DEMO_DATA: dataFolder, PARLEY_DEMO_PACE: pace } = process.env;
  const peer = new Peer(process.stdout);
  new DemoAgent(peer, {
    version: VERSION,
    pace: pace === undefined || !(Number(pace) >= 0) ? 1 : Number(pace),
    ...(dataFolder ? { dataFolder } : {}),
  });
  // A client that went away takes the pipe with it: nothing is left to say.
  process.stdout.on('error', () => process.exit(0));
  await peer.listen(process.stdin);
  process.exit(0);
}

void main();
