// Writes its messages for people to read: over several lines, after a byte order mark, with Windows' line ends.
import { promptText, serve } from './lib/agent.mjs';

const write = process.stdout.write.bind(process.stdout);
let isFirst = true;
process.stdout.write = line => {
  const pretty = JSON.stringify(JSON.parse(line), undefined, 2).replaceAll('\n', '\r\n');
  const start = isFirst ? '\ufeff\0' : 'Sending\r\n';
  isFirst = false;
  return write(`${start}${pretty}\r\n`);
};

const agent = serve({
  'session/prompt': async params => {
    const { sessionId } = params;
    const answer = await agent.request('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: 'c', title: 'Say it' },
      options: [{ optionId: 'ok', name: 'Ok', kind: 'allow_once' }],
    });
    const text = `You said: ${promptText(params)} ${answer.result.outcome.optionId}`;
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    process.stdout.write(
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }),
    );
    return { stopReason: 'end_turn' };
  },
});
