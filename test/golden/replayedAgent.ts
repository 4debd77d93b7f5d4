import { familyOf } from '../../src/acp/compat/families';
import type * as schema from '../../src/acp/schema/schema';
import { SessionRouter } from '../../src/agents/backends/acp/sessionRouter';
import { Deferred } from '../../src/base/deferred';
import { Emitter } from '../../src/base/event';
import { nullLogger } from '../../src/base/logger';
import type { Agent, AgentLink, AgentStatus } from '../../src/session/ports';

/**
 * An agent whose requests go out as they were recorded: each waits for the recorded one of its method,
 * which the replay brings with `expect`.
 */
export class ReplayedAgent implements Agent {
  readonly name = 'Agent';
  readonly router = new SessionRouter(nullLogger);
  readonly onDidChangeStatus = new Emitter<AgentStatus>().event;
  readonly initialized = new Deferred<schema.InitializeResponse>();
  private answer: schema.InitializeResponse = { protocolVersion: 1 };
  private readonly sends = new Map<string, (() => Promise<unknown>)[]>();
  private readonly waiting = new Map<string, Deferred<unknown>[]>();

  status: AgentStatus = { kind: 'stopped' };

  /** The agent has answered `initialize`. */
  identify(answer: schema.InitializeResponse): void {
    this.answer = answer;
    this.initialized.resolve(answer);
  }

  /** The next request of `method` is sent by `send`. */
  expect(method: string, send: () => Promise<unknown>): void {
    const waiter = this.waiting.get(method)?.shift();
    if (waiter) waiter.resolve(send());
    else this.sends.set(method, [...(this.sends.get(method) ?? []), send]);
  }

  /** How a chat takes up its session: real agents offer several ways, a recording used one. */
  takesUpBy: 'load' | 'resume' = 'load';

  async connect(): Promise<AgentLink> {
    await this.initialized.promise;
    const call = <T>(method: string) => this.call(method) as Promise<T>;
    const { takesUpBy, answer } = this;
    const { resume: _, ...sessionCapabilities } =
      answer.agentCapabilities?.sessionCapabilities ?? {};
    const link: AgentLink = {
      initialized:
        takesUpBy === 'load'
          ? { ...answer, agentCapabilities: { ...answer.agentCapabilities, sessionCapabilities } }
          : { ...answer, agentCapabilities: { ...answer.agentCapabilities, loadSession: false } },
      missingFileAnswer: familyOf(answer).missingFileAnswer,
      replaysAfterAnswer: familyOf(answer).replaysAfterAnswer,
      newSession: () => call('session/new'),
      loadSession: () => call('session/load'),
      resumeSession: () => call('session/resume'),
      closeSession: () => Promise.resolve(),
      listSessions: () => call('session/list'),
      deleteSession: () => call('session/delete'),
      forkSession: () => call('session/fork'),
      prompt: () => call('session/prompt'),
      takesTitles: false,
      setTitle: () => Promise.resolve(),
      archives: false,
      setArchived: () => Promise.resolve(),
      steers: false,
      steer: () => Promise.resolve(false),
      cancel: () => call('session/cancel'),
      cancelSubagent: () => call('session/cancel'),
      cancelToolCall: () => call('tool_call/cancel'),
      cancelTerminal: () => call('terminal/cancel'),
      authenticate: () => call('authenticate'),
      logout: () => call('logout'),
      setMode: () => call('session/set_mode'),
      setModel: () => call('session/set_model'),
      setConfigOption: () => call('session/set_config_option'),
      attach: (sessionId, client) => this.router.attach(sessionId, client),
      attachOpening: client => this.router.attachOpening(client),
    };
    this.status = { kind: 'ready', link };
    return link;
  }

  lease() {
    return { use() {}, dispose() {} };
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  authMethods() {
    return (this.answer.authMethods ?? []).map(({ id, name }) => ({
      id,
      name,
      type: 'agent' as const,
    }));
  }

  async signIn(methodId: string): Promise<boolean> {
    await (await this.connect()).authenticate({ methodId });
    return true;
  }

  signOut(): Promise<void> {
    return Promise.resolve();
  }

  private call(method: string): Promise<unknown> {
    const send = this.sends.get(method)?.shift();
    if (send) return send();
    const waiter = new Deferred<unknown>();
    this.waiting.set(method, [...(this.waiting.get(method) ?? []), waiter]);
    return waiter.promise;
  }
}
