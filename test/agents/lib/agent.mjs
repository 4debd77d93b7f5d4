// A small, well-behaved ACP agent over stdio, with hooks for the fixtures to misbehave in.
import { createInterface } from 'node:readline';

export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

export function update(sessionId, sessionUpdate) {
  send({ method: 'session/update', params: { sessionId, update: sessionUpdate } });
}

export function say(sessionId, text) {
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

/** The text blocks of a prompt, joined. */
export function promptText(params) {
  return params.prompt.map(block => (block.type === 'text' ? block.text : '')).join('');
}

/** Return this from a method to leave the request without an answer. */
export const NO_ANSWER = Symbol('no answer');

/**
 * Serves until stdin ends. `methods` replaces or adds methods: (params, id) => result, or a promise of
 * it, or NO_ANSWER; a thrown error with a `code` is answered as such. `onEnd` runs at the end of stdin.
 */
export function serve(methods = {}, { onEnd = () => process.exit(0) } = {}) {
  let sessions = 0;
  let requests = 1000;
  const waiting = new Map();
  const table = {
    initialize: () => ({
      protocolVersion: 1,
      agentInfo: { name: 'fixture', title: 'Fixture', version: '1.0.0' },
      agentCapabilities: { loadSession: false },
      authMethods: [],
    }),
    'session/new': () => ({ sessionId: `session-${++sessions}` }),
    'session/prompt': params => {
      say(params.sessionId, `You said: ${promptText(params)}`);
      return { stopReason: 'end_turn' };
    },
    'session/cancel': () => undefined,
    ...methods,
  };
  createInterface({ input: process.stdin })
    .on('line', line => handle(JSON.parse(line)))
    .on('close', onEnd);

  async function handle(message) {
    if (message.method === undefined) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
      return;
    }
    const method = table[message.method];
    if (message.id === undefined) {
      await method?.(message.params);
      return;
    }
    try {
      if (!method) throw Object.assign(new Error('Method not found'), { code: -32601 });
      const result = await method(message.params, message.id);
      if (result !== NO_ANSWER) send({ id: message.id, result });
    } catch (error) {
      const { code = -32603, message: text, data } = error;
      send({ id: message.id, error: { code, message: text, data } });
    }
  }

  return {
    /** Asks the client; resolves with its whole response message. */
    request(method, params) {
      const id = requests++;
      send({ id, method, params });
      return new Promise(resolve => waiting.set(id, resolve));
    },
  };
}

/** Starts a process that lives until it is killed with SIGKILL; resolves with its pid once it is ready. */
export async function startStubbornChild(options = {}) {
  const { spawn } = await import('node:child_process');
  const script =
    "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1e9); process.stdout.write('up');";
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    ...options,
  });
  await new Promise(resolve => child.stdout.once('data', resolve));
  return child.pid;
}
