/** Replays a transcript into chats: the real connection, router, translator, reducer and controller. */
import { recordingQuestions } from '../unit/session/questions';
import type { ClientHandlers } from '../../src/acp/rpc/clientHandlers';
import type * as schema from '../../src/acp/schema/schema';
import { nullLogger } from '../../src/base/logger';
import { Chats, type Chat } from '../../src/session/chats';
import { initialSession } from '../../src/session/state/initialSession';
import type { SessionState } from '../../src/session/state/state';
import { replay, type ReplayDriver } from './replay';
import { ReplayedAgent } from './replayedAgent';
import type { RecordedRequest, Transcript } from './transcript';
import { choose } from '../unit/session/choose';

export interface ReplayedChats {
  readonly states: readonly SessionState[];
  /** What each permission request was answered, by tool call id in order. */
  readonly answers: readonly string[];
  readonly initialized: schema.InitializeResponse | undefined;
}

export async function replayChats(transcript: Transcript): Promise<ReplayedChats> {
  const world = new ChatWorld(transcript.cwd);
  await replay(transcript, world.driver);
  const states = world.order.map(chat => chat.store.state);
  world.dispose();
  return {
    states,
    answers: world.answers,
    initialized: world.initialized,
  };
}

class ChatWorld {
  readonly order: Chat[] = [];
  readonly answers: string[] = [];
  initialized: schema.InitializeResponse | undefined;
  private time = 0;
  private ids = 0;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly agent = new ReplayedAgent();
  private readonly chats: Chats;

  constructor(private readonly cwd: string) {
    const never = () => Promise.reject(new Error('Answered from the recording'));
    this.chats = new Chats({
      files: { read: never, write: never, realPath: path => path },
      terminals: { create: never },
      mirror: { attach: () => ({ dispose() {} }), reveal() {} },
      attachments: { resolve: () => Promise.resolve([]) },
      environment: {
        now: () => this.time,
        newId: () => `id${(this.ids += 1)}`,
        after: (milliseconds, task) => {
          const timer = setTimeout(task, milliseconds);
          this.timers.add(timer);
          return { dispose: () => clearTimeout(timer) };
        },
      },
      settings: { newSessionSeconds: () => 60, mcpServers: () => Promise.resolve([]) },
      logger: nullLogger,
      agent: () => this.agent,
      questions: recordingQuestions(),
      place: () => ({ cwd, additionalDirectories: [], roots: [cwd] }),
    });
  }

  /** Requests that the recording leaves open would be waited for. */
  dispose(): void {
    this.chats.dispose();
    for (const timer of this.timers) clearTimeout(timer);
  }

  readonly driver: ReplayDriver = {
    before: entry => {
      this.time = entry.t;
    },
    handlers: recorded => this.handlers(recorded),
    request: (request, send) => this.request(request, send),
    notify: async (call, send) => {
      const { sessionId } = call.params as schema.CancelNotification;
      const chat = this.chatOf(sessionId);
      if (!chat?.store.state.activeTurn || chat.store.state.cancelling) return send();
      const sent = this.through('session/cancel', send);
      chat.controller.stop();
      await sent;
    },
  };

  private async request(request: RecordedRequest, send: () => Promise<unknown>): Promise<unknown> {
    const params = request.params as Record<string, unknown>;
    const chat = this.chatOf(String(params['sessionId']));
    switch (request.method) {
      case 'initialize': {
        const answer = (await send()) as schema.InitializeResponse;
        this.initialized ??= answer;
        this.agent.identify(answer);
        return answer;
      }
      case 'session/new': {
        const sent = this.through('session/new', send);
        const waiting = this.order.find(({ store }) => store.state.connection.kind === 'starting');
        const opened = waiting ?? this.chats.create('Agent');
        if (opened && !waiting) this.order.push(opened);
        await sent.catch(() => undefined);
        return opened?.controller.connect();
      }
      case 'session/load':
      case 'session/resume':
        return this.takeUp(request.method, String(params['sessionId']), send);
      case 'session/prompt':
        // Recordings also send what no chat would: nothing, or a second prompt in a running turn.
        if (!Array.isArray(params['prompt']) || !chat || !canPrompt(chat.store.state)) return send();
        return this.prompt(chat, params as unknown as schema.PromptRequest, send);
      case 'session/set_mode':
        return this.setConfig(chat, 'mode', params['modeId'], request.method, send);
      case 'session/set_model':
        return this.setConfig(chat, 'model', params['modelId'], request.method, send);
      case 'session/set_config_option':
        return this.setConfig(chat, params['configId'], params['value'], request.method, send);
      default:
        return send();
    }
  }

  private async takeUp(
    method: 'session/load' | 'session/resume',
    sessionId: string,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    this.agent.takesUpBy = method === 'session/load' ? 'load' : 'resume';
    const offers = this.initialized?.agentCapabilities;
    if (method === 'session/load' && !offers?.loadSession) return send();
    const { cwd } = this;
    const chatId = `taken-up-${this.order.length}`;
    const chat = this.chats.restore(
      { ...initialSession({ chatId, agentName: 'Agent', cwd, at: this.time }), sessionId },
      this.time,
    );
    if (!chat) return send();
    const sent = this.through(method, send);
    const connected = chat.controller.connect();
    const ok = await sent.then(
      () => true,
      () => false,
    );
    if (!ok) return undefined;
    this.order.push(chat);
    return connected;
  }

  private async prompt(
    chat: Chat,
    { prompt }: schema.PromptRequest,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    const text = prompt.map(block => (block.type === 'text' ? block.text : `[${block.type}]`));
    const { length } = chat.store.state.turns;
    const sent = this.through('session/prompt', send);
    chat.controller.send(text.join(''));
    await sent.catch(() => undefined);
    return until(chat, state => state.turns.length > length && !state.activeTurn);
  }

  private setConfig(
    chat: Chat | undefined,
    id: unknown,
    value: unknown,
    method: string,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    const source = { 'session/set_mode': 'mode', 'session/set_model': 'model' }[method];
    const option = chat?.store.state.configOptions.find(other =>
      source === undefined ? other.id === id : other.source === source,
    );
    // Recordings also try what does not exist, or is so already.
    if (!chat || !option || option.value === value) return send();
    const sent = this.through(method, send);
    const done = chat.controller.setConfig(option.id, value as string | boolean);
    return Promise.all([sent.catch(() => undefined), done]);
  }

  /** Lets the controller's request of that method be the recorded one; settles when it was answered. */
  private through(method: string, send: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.agent.expect(method, () => {
        const sent = send();
        sent.then(resolve, reject);
        return sent;
      });
    });
  }

  private handlers(recorded: ClientHandlers): ClientHandlers {
    return {
      ...recorded,
      sessionUpdate: params => this.agent.router.sessionUpdate(params),
      requestPermission: async (params, signal) => {
        const answer = this.agent.router.requestPermission(params, signal);
        const { outcome } = await recorded.requestPermission(params, signal);
        const chat = this.chatOf(params.sessionId);
        const { toolCallId } = params.toolCall;
        const request = chat?.store.state.permissions.find(
          other => other.toolCallId === toolCallId,
        );
        if (chat && request && outcome.outcome === 'selected') {
          choose(chat.controller, request.id, outcome.optionId);
        }
        const given = await answer;
        const names = params.options.map(({ name, kind }) => `${name} (${kind})`).join(' | ');
        const chosen =
          given.outcome.outcome === 'selected' ? given.outcome.optionId : given.outcome.outcome;
        this.answers.push(`${params.toolCall.title ?? toolCallId}: ${names} -> ${chosen}`);
        return given;
      },
      // The form goes through the chat, and is filled in as the recorded client did.
      createElicitation: async (params, signal) => {
        const answer = this.agent.router.createElicitation(params, signal);
        const given = await recorded.createElicitation(params, signal);
        const chat = this.order.findLast(({ store }) => store.state.elicitations.length > 0);
        const asked = chat?.store.state.elicitations[0];
        const values = 'content' in given ? JSON.stringify(given.content) : undefined;
        if (asked) await chat.controller.answerElicitation(asked.id, given.action, values);
        const sent = await answer;
        this.answers.push(`${params.message} -> ${JSON.stringify(sent)}`);
        return sent;
      },
      completeElicitation: params => this.agent.router.completeElicitation(params),
      createTerminal: async (params, signal) => {
        const created = await recorded.createTerminal(params, signal);
        this.chatOf(params.sessionId)?.store.dispatch({
          type: 'terminalStarted',
          terminalId: created.terminalId,
          command: [params.command, ...(params.args ?? [])].join(' '),
          owned: true,
          at: this.time,
        });
        return created;
      },
    };
  }

  private chatOf(sessionId: string): Chat | undefined {
    return this.order.findLast(({ store }) => store.state.sessionId === sessionId);
  }
}

function canPrompt({ connection, activeTurn }: SessionState): boolean {
  return connection.kind === 'ready' && !activeTurn;
}

function until(chat: Chat, condition: (state: SessionState) => boolean): Promise<void> {
  return new Promise(resolve => {
    const check = () => {
      if (!condition(chat.store.state)) return;
      subscription.dispose();
      resolve();
    };
    const subscription = chat.store.onDidApply(() => queueMicrotask(check));
    check();
  });
}
