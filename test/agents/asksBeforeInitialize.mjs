// Asks the client for things before it has answered `initialize`, and behaves well otherwise.
import { serve, send } from './lib/agent.mjs';

const { request } = serve();
send({ method: 'session/update', params: { sessionId: 'none', update: { sessionUpdate: 'x' } } });
void request('fs/read_text_file', { sessionId: 'none', path: '/etc/hostname' });
void request('terminal/create', { sessionId: 'none', command: 'sleep', args: ['600'] });
void request('session/request_permission', {
  sessionId: 'none',
  toolCall: { toolCallId: 'call' },
  options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
});
