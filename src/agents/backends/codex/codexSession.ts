/** A session of Codex: a thread of the server, which is resumed when the server had to be started again. */
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import { ClientMethod } from '../../../acp/schema/methods';
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import type { InProcessClient } from '../inProcess/agentSide';
import { object, objects, text } from '../inProcess/json';
import { ProgramEnded } from '../inProcess/jsonLines';
import type { PermissionQuestion } from '../inProcess/permissionChoices';
import { endedError } from '../inProcess/programEnd';
import { approvalOf, itemIdIn } from './approvals';
import { ServerError, type AppServer } from './appServer';
import { beginOf, commandsUpdate, inputIn, type Begin } from './commands';
import { IMPLEMENT, isApproved, planDecided, planQuestion } from './planApproval';
import { questionOf, type Question } from './questions';
import { limitsMeta } from './rateLimits';
import type { SessionOptions } from './sessionOptions';
import { subagentThreads, subagentTurn } from './subagents';
import { ThreadUpdates } from './threadUpdates';
import { Turn } from './turn';
import { promptResponse, signInNeeded } from './turnEnd';

export interface SessionParts {
  /** As the client knows it: that of the thread that it began as. */
  readonly id: string;
  readonly cwd: string;
  readonly client: InProcessClient;
  readonly options: SessionOptions;
  readonly skills: readonly Json[];
  /** What the client has chosen for the thread. */
  readonly config: Json;
  /** The server, started again if need be. @throws RequestError */
  server(): Promise<AppServer>;
  /** What the server says of that thread is for this session too. */
  adopt(threadId: string): void;
}

const TITLE = 'Codex';

export class CodexSession {
  private threadId: string;
  private readonly updates: ThreadUpdates;
  /** Those of subagents, by their threads. */
  private readonly subagents = new Map<string, ThreadUpdates>();
  private turn: Turn | undefined;
  private hasTurns = false;
  private usage: object | undefined;
  /** The commands that go on after the turn that began them. */
  private background: readonly string[] = [];

  /** @param server that has the thread loaded */
  constructor(
    private readonly parts: SessionParts,
    private loaded: AppServer | undefined,
  ) {
    this.threadId = parts.id;
    this.updates = new ThreadUpdates(parts.cwd);
  }

  get configOptions() {
    return this.parts.options.list();
  }

  get isWorking(): boolean {
    return this.turn !== undefined;
  }

  /** After who opens it was answered. */
  async introduce(): Promise<void> {
    await this.update(commandsUpdate(this.parts.skills));
  }

  async prompt(prompt: unknown): Promise<schema.PromptResponse> {
    if (this.turn) {
      throw new RequestError(ErrorCode.invalidRequest, l10n.t('The agent is already working.'));
    }
    const turn = new Turn();
    this.turn = turn;
    const earlier = this.background;
    try {
      const server = await this.ready();
      const { account, requiresOpenaiAuth } = await server.request('account/read');
      if (requiresOpenaiAuth === true && account == null) throw signInNeeded();
      let begin: Begin | undefined = beginOf(prompt, this.parts.skills);
      let response: schema.PromptResponse = { stopReason: 'cancelled' };
      while (begin && !turn.isCancelled) {
        const ended = await this.run(turn, server, begin);
        response = promptResponse(ended, turn.isCancelled);
        begin = response.stopReason === 'end_turn' ? await this.approved(turn, ended) : undefined;
      }
      return response;
    } catch (error) {
      if (turn.isCancelled) return { stopReason: 'cancelled' };
      throw asRequestError(error);
    } finally {
      if (turn.isCancelled) await this.stopCommands(earlier);
      this.turn = undefined;
    }
  }

  cancel(): void {
    const { turn } = this;
    if (!turn || turn.isCancelled) return;
    turn.isCancelled = true;
    void this.interrupt(turn);
  }

  /**
   * Puts a message into the turn that runs.
   * @param mayBegin whether a turn begins with it where none runs
   * @throws RequestError
   */
  async steer(prompt: unknown, mayBegin: boolean): Promise<object> {
    if (await this.isTaken(prompt)) return { outcome: 'injected' };
    if (!mayBegin || this.turn) return { outcome: 'promptRequired', reason: 'noRunningTurn' };
    void this.prompt(prompt).catch(() => undefined);
    return { outcome: 'startedNewTurn' };
  }

  /** Whether the turn that runs has taken the message. @throws RequestError */
  private async isTaken(prompt: unknown): Promise<boolean> {
    const { turn } = this;
    // One that ends while it begins takes nothing.
    const expectedTurnId = await turn?.running;
    if (turn === undefined || expectedTurnId === undefined || turn.isCancelled) return false;
    try {
      await this.ask('turn/steer', { expectedTurnId, input: inputIn(prompt) });
      return true;
    } catch (error) {
      if (error instanceof RequestError && /no active turn/i.test(error.message)) return false;
      throw error;
    }
  }

  /** @returns the options after it  @throws RequestError */
  async set(id: string, value: unknown): Promise<object> {
    const { options } = this.parts;
    const change = options.change(id, value);
    if (!change) {
      const words = l10n.t('There is no option "{0}" with that value.', id);
      throw RequestError.invalidParams(words);
    }
    await this.ask('thread/settings/update', change);
    options.read(change);
    return { configOptions: options.list() };
  }

  /** Stops a command that goes on in the background. @throws RequestError */
  async stopCommand(toolCallId: string): Promise<object> {
    const { data } = await this.ask('thread/backgroundTerminals/list');
    const terminal = objects(data).find(({ itemId }) => itemId === toolCallId);
    if (!terminal) throw RequestError.invalidParams(l10n.t('This tool call is not running.'));
    const { processId } = terminal;
    return this.ask('thread/backgroundTerminals/terminate', { processId });
  }

  /** Codex leaves commands that have just begun to themselves. @param earlier those that stay. Never rejects. */
  private async stopCommands(earlier: readonly string[]): Promise<void> {
    if (!this.loaded) return;
    const { data } = await this.ask('thread/backgroundTerminals/list').catch((): Json => ({}));
    const begun = objects(data).filter(({ itemId }) => !earlier.includes(text(itemId) ?? ''));
    await Promise.all(
      begun.map(({ processId }) =>
        this.ask('thread/backgroundTerminals/terminate', { processId }).catch(() => undefined),
      ),
    );
  }

  /** Asks the server something of the thread. @throws RequestError with its words */
  async ask(method: string, params: Json = {}): Promise<Json> {
    try {
      const server = await this.ready();
      return await server.request(method, { threadId: this.threadId, ...params });
    } catch (error) {
      throw asRequestError(error);
    }
  }

  /** Nothing is said of it any more. Never rejects. */
  async close(): Promise<void> {
    const { loaded, threadId } = this;
    this.turn?.stop();
    await loaded?.request('thread/unsubscribe', { threadId }).catch(() => undefined);
  }

  /** The server has ended. */
  async serverEnded(server: AppServer, end: ProgramEnded): Promise<void> {
    if (this.loaded !== server) return;
    this.loaded = undefined;
    await this.send(this.updates.stopped());
    await this.workIs([]);
    for (const [id, updates] of this.subagents) {
      const idle = subagentTurn(id, 'completed');
      await Promise.all(updates.stopped().map(each => this.parts.client.update(id, each)));
      await this.update(idle);
    }
    this.turn?.fail(end);
  }

  async notified(method: string, params: Json): Promise<void> {
    const threadId = text(params['threadId']) ?? '';
    const isOwn = threadId === this.threadId;
    const updates = this.updatesOf(threadId);
    const said = updates.updates(method, params);
    if (isOwn) await this.send(said);
    else await Promise.all(said.map(each => this.parts.client.update(threadId, each)));
    for (const thread of subagentThreads(object(params['item']))) this.parts.adopt(thread);
    if (method === 'turn/completed') await this.settle(threadId, updates);
    else if (isOwn && this.background.length > 0) {
      await this.workIs(this.background.filter(id => updates.commands.includes(id)));
    }
    if (!isOwn) {
      if (method === 'turn/started') await this.update(subagentTurn(threadId, 'started'));
      if (method === 'turn/completed') await this.update(subagentTurn(threadId, 'completed'));
      return;
    }
    if (method === 'thread/settings/updated') {
      const { options } = this.parts;
      if (options.read(object(params['threadSettings']))) {
        await this.update({ sessionUpdate: 'config_option_update', configOptions: options.list() });
      }
    }
    this.hasTurns ||= method === 'turn/started';
    this.turn?.notified(method, params);
  }

  /** @param snapshot of the limits that the account has */
  async limitsChanged(snapshot: Json): Promise<void> {
    // Before the context is known the update has no size.
    const usage = this.usage ?? { sessionUpdate: 'usage_update', used: 0, size: 0 };
    for (const limit of limitsMeta(snapshot)) {
      await this.update({ ...usage, _meta: { '_claude/rateLimit': limit } });
    }
  }

  /** An MCP server of the thread could not be started. */
  async serverFailed(name: string, reason: string | undefined): Promise<void> {
    const title = l10n.t('The MCP server {0} could not be started.', name);
    const description = reason !== undefined && { description: reason };
    await this.update({ sessionUpdate: 'notice', severity: 'warning', title, ...description });
  }

  /** @throws Error for what is not known */
  async asked(method: string, params: Json, signal: AbortSignal): Promise<Json> {
    const threadId = text(params['threadId']) ?? text(params['conversationId']) ?? this.threadId;
    const updates = this.updatesOf(threadId);
    const item =
      updates.call(itemIdIn(params)) ??
      updates.callOfTool(params['serverName'], object(params['_meta'])['tool_name']);
    const approval = approvalOf(method, params, { cwd: this.parts.cwd, item });
    const sessionId = threadId === this.threadId ? this.parts.id : threadId;
    if (approval) return this.permit(sessionId, approval, signal);
    const question = questionOf(method, params);
    if (!question) throw new Error(`Not supported: ${method}`);
    return this.elicit(sessionId, question, signal);
  }

  private async permit(
    sessionId: string,
    approval: PermissionQuestion,
    signal: AbortSignal,
  ): Promise<Json> {
    const { toolCall, options } = approval;
    const params = { sessionId, toolCall, options };
    const asked = this.parts.client.request(ClientMethod.requestPermission, params, signal);
    const outcome = object(object(await asked.catch(() => ({})))['outcome']);
    const isChosen = outcome['outcome'] === 'selected';
    return approval.answer(isChosen ? text(outcome['optionId']) : undefined);
  }

  private async elicit(sessionId: string, question: Question, signal: AbortSignal): Promise<Json> {
    const params = { sessionId, ...question.elicitation };
    const asked = this.parts.client.request(ClientMethod.createElicitation, params, signal);
    return question.answer(object(await asked.catch(() => ({ action: 'cancel' }))));
  }

  /** @returns the turn of Codex's when it has ended */
  private async run(turn: Turn, server: AppServer, { method, params }: Begin): Promise<Json> {
    turn.next();
    const begun = await server.request(method, { threadId: this.threadId, ...params });
    turn.named(text(object(begun['turn'])['id']));
    return turn.ended;
  }

  /** What carries out the plan that was proposed, when the user agrees. */
  private async approved(turn: Turn, ended: Json): Promise<Begin | undefined> {
    const { plan } = turn;
    if (plan === undefined || !this.parts.options.isPlanning) return undefined;
    const id = text(ended['id']) ?? '';
    const asked = this.parts.client.request(ClientMethod.requestPermission, {
      sessionId: this.parts.id,
      ...planQuestion(id, plan),
    });
    const isYes = isApproved(await asked.catch(() => ({})));
    await this.update(planDecided(id, isYes));
    if (!isYes || turn.isCancelled) return undefined;
    await this.set('mode', 'default');
    await this.update({ sessionUpdate: 'config_option_update', configOptions: this.configOptions });
    return {
      method: 'turn/start',
      params: { input: inputIn([{ type: 'text', text: IMPLEMENT }]) },
    };
  }

  private async interrupt(turn: Turn): Promise<void> {
    const turnId = await turn.begun;
    try {
      await this.loaded?.request('turn/interrupt', { threadId: this.threadId, turnId });
    } catch {
      // It has ended, and the turn with it.
    }
  }

  /** A turn is over: what its calls have not said they will not say. */
  private async settle(threadId: string, updates: ThreadUpdates): Promise<void> {
    const left = updates.turnEnded();
    if (threadId === this.threadId) {
      await this.send(left);
      await this.workIs(updates.commands);
    } else await Promise.all(left.map(each => this.parts.client.update(threadId, each)));
  }

  /** @param commands that are at work although no turn waits for them */
  private async workIs(commands: readonly string[]): Promise<void> {
    if (commands.join() === this.background.join()) return;
    this.background = commands;
    const background = commands.map(toolCallId => ({ type: 'tool_call', toolCallId }));
    const state = this.turn ? 'running' : 'idle';
    await this.update({ sessionUpdate: 'state_update', state, background });
  }

  /** The server, with the thread in it. */
  private async ready(): Promise<AppServer> {
    const server = await this.parts.server();
    if (this.loaded === server) return server;
    const { options, config, cwd } = this.parts;
    const before = options.settings;
    try {
      const params = { threadId: this.threadId, cwd, excludeTurns: true, ...config };
      options.read(await server.request('thread/resume', params));
    } catch (error) {
      // Codex keeps nothing of a thread in which nothing was said.
      if (!(error instanceof ServerError) || this.hasTurns) throw error;
      const started = await server.request('thread/start', { cwd, ...config });
      this.threadId = text(object(started['thread'])['id']) ?? this.threadId;
      this.parts.adopt(this.threadId);
    }
    await server.request('thread/settings/update', { threadId: this.threadId, ...before });
    options.read(before);
    this.loaded = server;
    return server;
  }

  private updatesOf(threadId: string): ThreadUpdates {
    if (threadId === this.threadId) return this.updates;
    const known = this.subagents.get(threadId) ?? new ThreadUpdates(this.parts.cwd);
    this.subagents.set(threadId, known);
    return known;
  }

  private async send(updates: readonly object[]): Promise<void> {
    for (const update of updates) {
      if ((update as Json)['sessionUpdate'] === 'usage_update') this.usage = update;
      await this.update(update);
    }
  }

  private update(update: object): Promise<void> {
    return this.parts.client.update(this.parts.id, update);
  }
}

export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof ProgramEnded) return endedError(TITLE, error);
  const words = error instanceof Error ? error.message : String(error);
  return new RequestError(ErrorCode.internal, words);
}
