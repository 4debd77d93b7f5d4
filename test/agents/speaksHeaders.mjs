// Built on what language servers are built on: a header with the length before each message, both ways.
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { promptText } from './lib/agent.mjs';

const rpc = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
rpc.onRequest('initialize', () => ({
  protocolVersion: 1,
  agentInfo: { name: 'headers', version: '1.0.0' },
}));
rpc.onRequest('session/new', () => ({ sessionId: 'héaders' }));
rpc.onRequest('session/prompt', async ({ sessionId, prompt }) => {
  const answer = await rpc.sendRequest('session/request_permission', {
    sessionId,
    toolCall: { toolCallId: 'c', title: 'Schreiben – “größer”' },
    options: [{ optionId: 'ok', name: 'Ok', kind: 'allow_once' }],
  });
  const text = `You said: ${promptText({ prompt })} 🎉 ${answer.outcome.optionId}`;
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  await rpc.sendNotification('session/update', { sessionId, update });
  return { stopReason: 'end_turn' };
});
rpc.onClose(() => process.exit(0));
rpc.listen();
