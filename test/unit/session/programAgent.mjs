// An ACP agent that does what the prompt says: the prompt's text is a JSON list of steps.
// {update} {updates:{count,update}} {send} raw {ask:{method,params}} {asks:[{method,params}]} unawaited
// {big,update} `$BIG` is so many units {many,update} `list` is an item of the list named by `$LIST`
// {begin:{method,params}} asked without waiting {hear} waits for that answer, and tells it
// {heard:true} waits until it is steered, and says with what {asked:true} waits until it is asked to be {late:[update]} told after the answer {spawn:command} runs on; its process id is told
// {flood:{method,params,count}} asked at once, the answers counted {cancelAsked} {ping} {waitCancel} {respond:{stopReason}} {fail:{code,message,data}} {exit:code}
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const options = JSON.parse(process.env.PROGRAM ?? '{}');
const answers = new Map();
const log = [];
/** What is told of a turn after its answer. */
const late = [];
let nextId = 0;
let sessionCount = 0;
// `signedIn`: the methods of `auth` are offered, but no sign-in is wanted.
let authenticated = options.auth === undefined || options.signedIn === true;
// With `authFor` a sign-in is wanted only for that method.
const wantsSignIn = method =>
  !authenticated && (options.authFor === undefined || options.authFor === method);
/** What the turn that runs was steered with, and who waits for it. */
const steered = [];
let onSteered = () => {};
let asked = () => {};
const isAsked = new Promise(resolve => (asked = resolve));
let running = false;
/** Called when the turn of a session is cancelled. */
const cancels = new Map();

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (method, params) =>
  new Promise(resolve => {
    const id = nextId++;
    answers.set(id, resolve);
    send({ id, method, params });
  });

/** The update of a step that says how large it is rather than being it. */
function grown({ update, big, many }) {
  if (big) return JSON.parse(JSON.stringify(update).replace('$BIG', 'x'.repeat(big)));
  if (!many) return update;
  const { $LIST, list, ...rest } = update;
  const item = JSON.stringify(list);
  const items = Array.from({ length: many }, (_, n) => JSON.parse(item.replaceAll('$N', `${n}`)));
  return { ...rest, [$LIST]: items };
}

const AUTH_REQUIRED = { code: -32000, message: 'Authentication required' };

const handlers = {
  initialize: ({ protocolVersion }) => {
    if (options.refusesVersions && protocolVersion > 1) throw options.refusesVersions;
    return {
      protocolVersion: options.echoesVersion ? protocolVersion : 1,
      agentInfo: { name: options.name ?? 'program', title: 'Program', version: '1.2.3' },
      ...options.initialized,
      agentCapabilities: options.capabilities ?? {},
      authMethods: options.auth ?? [],
    };
  },
  authenticate: () => {
    authenticated = true;
    return {};
  },
  'session/new': async (_params, id) => {
    if (wantsSignIn('session/new')) throw options.authError ?? AUTH_REQUIRED;
    const sessionId = `s${++sessionCount}`;
    if (options.asksAtNew) {
      const answer = await ask('elicitation/create', { requestId: id, ...options.asksAtNew });
      const title = JSON.stringify(answer.result ?? answer.error);
      const update = { sessionUpdate: 'session_info_update', title };
      send({ method: 'session/update', params: { sessionId, update } });
    }
    for (const update of options.early ?? []) {
      send({ method: 'session/update', params: { sessionId, update } });
    }
    return { sessionId, ...options.opened };
  },
  'session/load': async ({ sessionId }) => {
    if (wantsSignIn('session/load')) throw AUTH_REQUIRED;
    if (options.loadFails) throw options.loadFails;
    for (const update of options.replay ?? []) {
      send({ method: 'session/update', params: { sessionId, update } });
    }
    setTimeout(() => {
      for (const update of options.lateReplay ?? []) {
        send({ method: 'session/update', params: { sessionId, update } });
      }
      if (options.exitsAfterLoad !== undefined) process.exit(options.exitsAfterLoad);
    }, 20);
    return { ...options.opened };
  },
  'session/resume': () => {
    if (options.resumeFails) throw options.resumeFails;
    return { ...options.opened };
  },
  'session/close': () => ({}),
  // Three sessions, two on a page; the last is of another folder.
  'session/list': ({ cwd, cursor }) => {
    if (wantsSignIn('session/list')) throw AUTH_REQUIRED;
    const sessions = (options.sessions ?? []).map(session => ({ cwd, ...session }));
    const start = Number(cursor ?? 0);
    const end = start + 2;
    return {
      sessions: sessions.slice(start, end),
      ...(end < sessions.length && { nextCursor: String(end) }),
    };
  },
  'session/delete': ({ sessionId }) => {
    if (sessionId === 'locked') throw { code: -32603, message: 'It is in use' };
    return {};
  },
  'session/fork': ({ sessionId }) => ({ sessionId: `${sessionId}-fork` }),
  'session/set_model': () => ({}),
  logout: () => {
    authenticated = options.auth === undefined;
    return {};
  },
  'session/set_mode': () => {
    if (wantsSignIn('session/set_mode')) throw AUTH_REQUIRED;
    if (options.refuseMode) throw { code: -32603, message: 'No such mode', data: 'try another' };
    return {};
  },
  'session/set_config_option': ({ configId, value }) => {
    options.opened.configOptions = options.opened.configOptions.map(option =>
      option.id === configId ? { ...option, currentValue: value } : option,
    );
    return { configOptions: options.opened.configOptions };
  },
  'session/cancel': ({ sessionId }) => cancels.get(sessionId)?.(),
  'session/set_title': () => ({}),
  'session/archive': () => ({}),
  'session/unarchive': () => ({}),
  '_session/steering': ({ prompt, _meta }) => {
    asked();
    if (options.steering) return { outcome: options.steering };
    if (!running) return { outcome: _meta?.steering?.idleBehavior ?? 'startedNewTurn' };
    steered.push(prompt.map(block => block.text ?? '').join(''));
    onSteered();
    return { outcome: 'injected' };
  },
  'session/prompt': async ({ sessionId, prompt }) => {
    running = true;
    try {
      return await handlers.work({ sessionId, prompt });
    } finally {
      running = false;
    }
  },
  work: async ({ sessionId, prompt }) => {
    const onCancel = new Promise(resolve => cancels.set(sessionId, resolve));
    if (wantsSignIn('session/prompt')) throw options.authError ?? AUTH_REQUIRED;
    // Notes from the editor may go before it.
    const text = prompt.map(block => block.text ?? '').find(each => each.startsWith('['));
    const steps = JSON.parse(text ?? '[]');
    let begun;
    for (const step of steps) {
      if (step.update)
        send({ method: 'session/update', params: { sessionId, update: grown(step) } });
      // As a real agent does, it lets its output drain now and then. `$N` in the update is its number.
      for (let n = 0; n < (step.updates?.count ?? 0); n++) {
        const update = step.updates.update;
        const numbered = JSON.parse(JSON.stringify(update).replaceAll('$N', String(n)));
        send({ method: 'session/update', params: { sessionId, update: numbered } });
        if (process.stdout.writableNeedDrain) {
          await new Promise(resolve => process.stdout.once('drain', resolve));
        }
      }
      if (step.flood) {
        const { method, params, count } = step.flood;
        const told = {};
        await Promise.all(
          Array.from({ length: count }, async (_, n) => {
            const numbered = JSON.parse(JSON.stringify(params).replaceAll('$N', String(n)));
            const { result, error } = await ask(method, { sessionId, ...numbered });
            const kind = error ? error.message : JSON.stringify(result).replace(/id\d+/, 'id');
            told[kind] = (told[kind] ?? 0) + 1;
          }),
        );
        const content = { type: 'text', text: JSON.stringify(told) };
        const update = { sessionUpdate: 'agent_message_chunk', content };
        send({ method: 'session/update', params: { sessionId, update } });
      }
      if (step.send) send(step.send);
      if (step.ask) {
        const params = JSON.parse(
          JSON.stringify({ sessionId, ...step.ask.params }).replaceAll(
            '$LAST',
            log.findLast(({ result }) => result?.terminalId)?.result.terminalId ?? '',
          ),
        );
        const answer = await ask(step.ask.method, params);
        log.push(answer);
        const content = { type: 'text', text: JSON.stringify(answer.result ?? answer.error) };
        if (!step.quiet) {
          send({
            method: 'session/update',
            params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
          });
        }
      }
      // Asked, and its answer heard later: what comes between is sent while it waits.
      if (step.begin) begun = ask(step.begin.method, { sessionId, ...step.begin.params });
      if (step.hear) {
        const { result, error } = await begun;
        const content = { type: 'text', text: JSON.stringify(result ?? error) };
        const update = { sessionUpdate: 'agent_message_chunk', content };
        send({ method: 'session/update', params: { sessionId, update } });
      }
      for (const { method, params } of step.asks ?? []) void ask(method, { sessionId, ...params });
      if (step.cancelAsked) {
        const requestId = nextId - 1;
        const answered = new Promise(resolve => answers.set(requestId, resolve));
        send({ method: '$/cancel_request', params: { requestId } });
        await answered;
      }
      if (step.waitCancel) await onCancel;
      if (step.asked) await isAsked;
      if (step.heard) {
        if (steered.length === 0) await new Promise(resolve => (onSteered = resolve));
        const content = { type: 'text', text: `heard ${steered.shift()}` };
        const update = { sessionUpdate: 'agent_message_chunk', content };
        send({ method: 'session/update', params: { sessionId, update } });
      }
      if (step.spawn) {
        const child = spawn('/bin/sh', ['-c', `exec ${step.spawn}`], { stdio: 'ignore' });
        const content = { type: 'text', text: String(child.pid) };
        const update = { sessionUpdate: 'agent_message_chunk', content };
        send({ method: 'session/update', params: { sessionId, update } });
      }
      if (step.pause) await new Promise(resolve => setTimeout(resolve, step.pause));
      if (step.exit !== undefined) {
        process.stderr.write('out of memory\nlast words\n');
        process.exit(step.exit);
      }
      if (step.fail) throw step.fail;
      if (step.late) late.push(...step.late.map(update => ({ sessionId, update })));
      if (step.respond) return step.respond;
    }
    if (options.logPrompt) {
      const content = { type: 'text', text: JSON.stringify(prompt) };
      send({
        method: 'session/update',
        params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
      });
    }
    return { stopReason: 'end_turn' };
  },
};

createInterface({ input: process.stdin })
  .on('line', async line => {
    const message = JSON.parse(line);
    if (message.method === undefined) {
      answers.get(message.id)?.(message);
      return;
    }
    if (options.silent?.includes(message.method)) return;
    const wait = options.waits?.[message.method];
    if (wait) await new Promise(resolve => setTimeout(resolve, wait));
    const handler = handlers[message.method];
    if (message.id === undefined) {
      handler?.(message.params);
      return;
    }
    try {
      if (!handler) throw { code: -32601, message: `Method not found: ${message.method}` };
      send({ id: message.id, result: (await handler(message.params, message.id)) ?? {} });
      if (options.exitsAfter === message.method) process.exit(0);
    } catch (error) {
      send({ id: message.id, error });
    }
    if (message.method === 'session/prompt') {
      for (const params of late.splice(0)) send({ method: 'session/update', params });
    }
  })
  .on('close', () => process.exit(0));
