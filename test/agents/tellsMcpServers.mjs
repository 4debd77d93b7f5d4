// Writes the MCP servers that a session was given into the file named as its argument.
import { writeFileSync } from 'node:fs';
import { serve } from './lib/agent.mjs';

let sessions = 0;

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'fixture', title: 'Fixture', version: '1.0.0' },
    agentCapabilities: { loadSession: false, mcpCapabilities: { http: true } },
    authMethods: [],
  }),
  'session/new': ({ mcpServers }) => {
    writeFileSync(process.argv[2], JSON.stringify(mcpServers));
    return { sessionId: `session-${++sessions}` };
  },
});
