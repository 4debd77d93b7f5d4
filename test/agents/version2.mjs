// An agent on the official SDK's side for ACP v2. It does what the prompt says, a JSON list of steps:
// {update} {ask:{method,params}} told as a message {waitCancel} {waitStop} until a call or terminal is stopped
// {take:true} waits for a prompt that comes meanwhile, takes it in and says it; others are taken in after it
// {idle:{…}} how it ends, instead of `end_turn` {refuse:{code,message}} instead of taking the prompt in
// `PROGRAM` is an object: capabilities, authMethods, opened, replay, unknownSession, sessions.
import { Readable, Writable } from 'node:stream';
import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
} from '@agentclientprotocol/sdk/experimental/v2';

const options = JSON.parse(process.env.PROGRAM ?? '{}');
const { session } = methods.agent;
let made = 0;
let signedIn = !options.authMethods;
const cancels = new Map();
let stopped = () => {};
/** Prompts that came while it works. */
const held = [];
let onHeld = () => {};
let busy = false;

const stepsOf = prompt =>
  JSON.parse(prompt.map(block => block.text ?? '').find(each => each.startsWith('[')) ?? '[]');

const authRequired = () => {
  if (!signedIn) throw new RequestError(-32000, 'Authentication required');
};

const app = agent({ name: 'version2' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 2,
    info: { name: 'version2', title: 'Version 2', version: '2.0.0' },
    capabilities: { session: {}, ...options.capabilities },
    authMethods: options.authMethods ?? [],
  }))
  .onRequest(methods.agent.auth.login, () => {
    signedIn = true;
    return {};
  })
  .onRequest(methods.agent.auth.logout, () => {
    signedIn = false;
    return {};
  })
  .onRequest(session.new, () => {
    authRequired();
    return { sessionId: `s${++made}`, ...options.opened };
  })
  .onRequest(session.resume, async ({ params, client }) => {
    const { sessionId, replayFrom } = params;
    if (options.unknownSession) throw new RequestError(-32002, 'Resource not found', { sessionId });
    const tell = update => client.notify(methods.client.session.update, { sessionId, update });
    if (replayFrom?.type === 'start') for (const update of options.replay ?? []) await tell(update);
    await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    return { ...options.opened };
  })
  .onRequest(session.close, () => ({}))
  .onRequest(session.list, ({ params }) => ({
    sessions: (options.sessions ?? []).map(each => ({ cwd: params.cwd ?? '/', ...each })),
  }))
  .onRequest(session.delete, () => ({}))
  .onRequest(session.setConfigOption, ({ params }) => ({
    configOptions: options.opened.configOptions.map(option =>
      option.configId === params.configId ? { ...option, currentValue: params.value } : option,
    ),
  }))
  .onRequest(methods.agent.toolCall.cancel, () => {
    stopped();
    return {};
  })
  .onRequest(methods.agent.terminal.cancel, () => {
    stopped();
    return {};
  })
  .onNotification(session.cancel, ({ params }) => {
    for (const { reject } of held.splice(0)) reject(new RequestError(-32800, 'Request cancelled'));
    cancels.get(params.sessionId)?.();
  })
  .onRequest(session.prompt, ({ params, client }) => {
    authRequired();
    const { sessionId, prompt } = params;
    const [{ refuse } = {}] = stepsOf(prompt);
    if (refuse) throw new RequestError(refuse.code, refuse.message);
    if (busy) {
      return new Promise((resolve, reject) => {
        held.push({ prompt, resolve, reject });
        onHeld();
      });
    }
    const tell = update => client.notify(methods.client.session.update, { sessionId, update });
    const cancelled = new Promise(resolve => cancels.set(sessionId, resolve));
    const isStopped = new Promise(resolve => (stopped = resolve));
    const work = async (messageId, content, steps) => {
      await tell({ sessionUpdate: 'user_message', messageId, content });
      await tell({ sessionUpdate: 'state_update', state: 'running' });
      let end = { stopReason: 'end_turn' };
      for (const step of steps) {
        if (step.update) await tell(step.update);
        if (step.ask) {
          const asked = client.request(step.ask.method, { sessionId, ...step.ask.params });
          const answer = await asked.catch(({ code, message }) => ({ code, message }));
          const content = { type: 'text', text: JSON.stringify(answer) };
          await tell({ sessionUpdate: 'agent_message_chunk', messageId: `${messageId}a`, content });
        }
        if (step.waitCancel) {
          await cancelled;
          end = { stopReason: 'cancelled' };
        }
        if (step.waitStop) await isStopped;
        if (step.take) {
          if (held.length === 0) await new Promise(resolve => (onHeld = resolve));
          const { prompt: taken, resolve } = held.shift();
          const id = `m${++made}`;
          await tell({ sessionUpdate: 'user_message', messageId: id, content: taken });
          resolve({ messageId: id });
          const text = `heard ${taken.map(block => block.text ?? '').join('')}`;
          const content = { type: 'text', text };
          await tell({ sessionUpdate: 'agent_message_chunk', messageId: `${id}a`, content });
        }
        if (step.idle) end = step.idle;
      }
      busy = false;
      await tell({ sessionUpdate: 'state_update', state: 'idle', ...end });
      const next = held.shift();
      if (next) next.resolve(begin(next.prompt));
    };
    const begin = content => {
      busy = true;
      const messageId = `m${++made}`;
      // The answer says that the prompt was taken in, and comes first.
      setTimeout(() => void work(messageId, content, stepsOf(content)));
      return { messageId };
    };
    return begin(prompt);
  });

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
process.stdin.on('end', () => process.exit(0));
