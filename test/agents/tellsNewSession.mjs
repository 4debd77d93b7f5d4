// Writes what a new session was asked for into the file named as its argument.
import { renameSync, writeFileSync } from 'node:fs';
import { serve } from './lib/agent.mjs';

let sessions = 0;

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'fixture', title: 'Fixture', version: '1.0.0' },
    agentCapabilities: {
      loadSession: false,
      mcpCapabilities: { http: true },
      sessionCapabilities: { additionalDirectories: {} },
    },
    authMethods: [],
  }),
  'session/new': params => {
    // At once, for those who wait for it.
    writeFileSync(`${process.argv[2]}.tmp`, JSON.stringify(params));
    renameSync(`${process.argv[2]}.tmp`, process.argv[2]);
    return { sessionId: `session-${++sessions}` };
  },
});
