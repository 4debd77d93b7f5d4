// Is an MCP server: its initialize looks alike, its versions are dates.
import { serve } from './lib/agent.mjs';

serve({
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'fixture-mcp', version: '1.0.0' },
  }),
});
