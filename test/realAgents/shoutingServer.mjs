// An MCP server over stdio with one tool: `shout` answers a text in capitals, and whether SECRET came along.
import { createInterface } from 'node:readline';

const SHOUT = {
  name: 'shout',
  description: 'Shouts a text',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  },
};

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'shouting', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [SHOUT] }),
  'tools/call': ({ arguments: { text } }) => {
    const secret = process.env.SECRET === 'hush' ? 'known' : 'not known';
    return { content: [{ type: 'text', text: `${text.toUpperCase()}, the secret is ${secret}` }] };
  },
};

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = METHODS[method];
  const body = answer
    ? { result: answer(params ?? {}) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
});
