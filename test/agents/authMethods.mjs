// Offers every kind of sign-in, and needs none.
import { serve } from './lib/agent.mjs';

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: {},
    authMethods: [
      { id: 'oauth', name: 'Sign in with the browser', description: 'Opens a page' },
      { id: 'tui', name: 'Sign in in a terminal', type: 'terminal', args: ['login'] },
      { id: 'key', name: 'API key', type: 'env_var', vars: [{ name: 'FIXTURE_KEY' }] },
    ],
  }),
  authenticate: () => ({}),
});
