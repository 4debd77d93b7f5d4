// Resumes sessions, and ends right after it has opened one for as long as the file named as its argument exists.
import { existsSync } from 'node:fs';
import { serve } from './lib/agent.mjs';

const [, , flag] = process.argv;

function endSoon() {
  if (existsSync(flag)) setTimeout(() => process.exit(6), 20);
}

let sessions = 0;
serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { sessionCapabilities: { resume: {} } },
    authMethods: [],
  }),
  'session/new': () => {
    endSoon();
    return { sessionId: `session-${++sessions}` };
  },
  'session/resume': () => {
    endSoon();
    return {};
  },
});
