// Offers every kind of sign-in, and needs none. Its version is the key it was started with. With `login` or
// `fail` as its last argument it is the program that signs in.
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve } from './lib/agent.mjs';

const last = process.argv.at(-1);
if (last === 'login') process.exit(0);
if (last === 'fail') process.exit(3);

// Where it remembers, until its next start, that it was told to sign out.
const mark = path.join(tmpdir(), `parley-logged-out-${process.env.PARLEY_TEST_MARKER}`);
const loggedOut = existsSync(mark);
if (loggedOut) unlinkSync(mark);

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: {
      name: 'fixture',
      version: loggedOut ? 'logged out' : (process.env.FIXTURE_KEY ?? ''),
    },
    agentCapabilities: { auth: { logout: {} } },
    authMethods: [
      { id: 'oauth', name: 'Sign in with the browser', description: 'Opens a page' },
      {
        id: 'tui',
        name: 'Sign in in a terminal',
        type: 'terminal',
        args: ['login'],
        env: { FROM_METHOD: 'yes' },
      },
      { id: 'broken', name: 'Fails', type: 'terminal', args: ['fail'] },
      {
        id: 'elsewhere',
        name: 'Another program',
        _meta: { 'terminal-auth': { command: 'no-such-command-here', args: [] } },
      },
      { id: 'key', name: 'API key', type: 'env_var', vars: [{ name: 'FIXTURE_KEY' }] },
    ],
  }),
  authenticate: () => ({}),
  logout: () => {
    writeFileSync(mark, '');
    return {};
  },
});
