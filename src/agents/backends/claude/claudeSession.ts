/** A session of the CLI: one process, which is started again when it has ended and the user goes on. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import { ClientMethod } from '../../../acp/schema/methods';
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { Deferred } from '../../../base/deferred';
import type { InProcessClient } from '../inProcess/agentSide';
import { object, text } from '../inProcess/json';
import { ProgramEnded } from '../inProcess/jsonLines';
import { endedError } from '../inProcess/programEnd';
import { skippedNotice } from '../inProcess/skippedNotice';
import { BackgroundWork } from './backgroundWork';
import type { CliHandlers, CliProcess } from './cliProcess';
import { commandsUpdate, Messages } from './messages';
import { permissionQuestion } from './permissions';
import { userMessage } from './prompt';
import { answeredQuestions, questionForm } from './questions';
import { SessionOptions } from './sessionOptions';
import { answers, promptResponse } from './turnEnd';
import { Usage } from './usage';

export interface SessionParts {
  readonly id: string;
  readonly cwd: string;
  readonly client: InProcessClient;
  readonly mayBypass: boolean;
  readonly maxLineBytes: () => number;
  /** Starts the CLI with these arguments besides the usual ones. */
  start(args: readonly string[], handlers: CliHandlers): Promise<CliProcess>;
  /** Whether the CLI has kept something of it. */
  isStored(): Promise<boolean>;
  output(line: string): void;
}

interface Turn {
  /** Of the messages that are still to be answered: the prompt, and what was said while it runs. */
  readonly open: Set<string>;
  readonly ended: Deferred<schema.PromptResponse>;
  isCancelled: boolean;
  /** The agent has said what it had to say, but for what it has at work. */
  isAnswered: boolean;
}

const TITLE = 'Claude Code';

export class ClaudeSession {
  private readonly options: SessionOptions;
  private readonly messages: Messages;
  private readonly usage = new Usage();
  private readonly background = new BackgroundWork();
  /** Ready to be asked. */
  private cli: Promise<CliProcess> | undefined;
  private process: CliProcess | undefined;
  private isClosed = false;
  private turn: Turn | undefined;
  private commands: unknown;

  constructor(
    private readonly parts: SessionParts,
    /** Of every process of the session: what the client has chosen for it. */
    private readonly args: readonly string[],
  ) {
    this.options = new SessionOptions(parts.mayBypass);
    this.messages = new Messages(parts.cwd);
  }

  /**
   * @param args what makes the session, or takes it up
   * @returns what is answered to who opens it
   * @throws RequestError when the CLI does not start
   */
  async open(args: readonly string[]): Promise<object> {
    try {
      this.cli = this.start(args);
      await this.cli;
    } catch (error) {
      this.cli = undefined;
      throw error instanceof ProgramEnded ? endedError(TITLE, error) : error;
    }
    return { configOptions: this.options.list() };
  }

  /** After who opens it was answered. */
  async introduce(): Promise<void> {
    await this.update(commandsUpdate(this.commands));
  }

  async prompt(prompt: unknown): Promise<schema.PromptResponse> {
    if (this.turn) {
      throw new RequestError(ErrorCode.invalidRequest, l10n.t('The agent is already working.'));
    }
    const uuid = randomUUID();
    const turn: Turn = {
      open: new Set([uuid]),
      ended: new Deferred(),
      isCancelled: false,
      isAnswered: false,
    };
    this.turn = turn;
    try {
      const cli = await this.running();
      if (turn.isCancelled) return { stopReason: 'cancelled' };
      cli.send(userMessage(prompt, uuid, this.parts.id));
      return await turn.ended.promise;
    } catch (error) {
      throw error instanceof ProgramEnded ? endedError(TITLE, error) : error;
    } finally {
      this.turn = undefined;
    }
  }

  /** Says something to the turn that runs: the agent reads it between two steps. @returns whether one runs */
  async steer(prompt: unknown): Promise<boolean> {
    const { turn } = this;
    const cli = await this.cli?.catch(() => undefined);
    if (!turn || !cli || turn !== this.turn || turn.isCancelled || turn.isAnswered) return false;
    const uuid = randomUUID();
    turn.open.add(uuid);
    cli.send({ ...userMessage(prompt, uuid, this.parts.id), priority: 'next' });
    return true;
  }

  cancel(): void {
    const { turn } = this;
    if (!turn || turn.isCancelled) return;
    turn.isCancelled = true;
    void this.interrupt(turn);
  }

  /** Stops what a call has at work in the background. @throws RequestError */
  async stopTask(toolCallId: string): Promise<object> {
    const task = this.background.taskOf(toolCallId);
    if (task === undefined || !this.cli) {
      throw RequestError.invalidParams(l10n.t('This tool call is not running.'));
    }
    return this.ask('stop_task', { task_id: task });
  }

  /** @throws RequestError */
  rename(title: string): Promise<object> {
    return this.ask('rename_session', { title, source: 'host' });
  }

  /** @returns the options after it  @throws RequestError */
  async set(id: string, value: unknown): Promise<object> {
    const request = this.options.requestFor(id, value);
    if (!request) {
      const words = l10n.t('There is no option "{0}" with that value.', id);
      throw RequestError.invalidParams(words);
    }
    await this.ask(request.subtype, request.fields);
    this.options.changed(id, String(value));
    return { configOptions: this.options.list() };
  }

  /** Ends the process. Never rejects. */
  async close(): Promise<void> {
    this.cli = undefined;
    this.isClosed = true;
    this.turn?.ended.resolve({ stopReason: 'cancelled' });
    // Also one that has not answered yet.
    await this.process?.stop();
  }

  private async interrupt(turn: Turn): Promise<void> {
    try {
      const cli = await this.cli;
      await cli?.request('interrupt', { cancel_queued: true });
    } catch {
      // It has ended, and the turn with it.
    }
    // What is left of it has no result of its own.
    if (turn.isAnswered) turn.ended.resolve({ stopReason: 'cancelled' });
  }

  /** @throws RequestError with the CLI's words */
  private async ask(subtype: string, fields: Json): Promise<Json> {
    const cli = await this.running();
    try {
      return await cli.request(subtype, fields);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new RequestError(ErrorCode.internal, words);
    }
  }

  /** The process, started again if need be. */
  private async running(): Promise<CliProcess> {
    if (!this.cli) {
      const isStored = await this.parts.isStored();
      const { id } = this.parts;
      this.cli ??= this.start([
        ...(isStored ? ['--resume', id] : ['--session-id', id]),
        ...this.options.args,
      ]);
    }
    try {
      return await this.cli;
    } catch (error) {
      this.cli = undefined;
      throw error;
    }
  }

  private async start(args: readonly string[]): Promise<CliProcess> {
    const { parts } = this;
    const cli = await parts.start([...args, ...this.args], {
      maxLineBytes: parts.maxLineBytes,
      message: message => this.received(message),
      asked: (request, signal) => this.asked(request, signal),
      skipped: bytes => void this.update(skippedNotice(bytes)),
      output: line => parts.output(line),
    });
    this.process = cli;
    void cli.ended.then(end => this.ended(cli, end));
    if (this.isClosed) void cli.stop();
    const initialized = await cli.request('initialize');
    const settings = await cli.request('get_settings').catch(() => ({}));
    this.commands = initialized['commands'];
    this.options.read(initialized, settings);
    return cli;
  }

  private async ended(cli: CliProcess, end: ProgramEnded): Promise<void> {
    const current = await this.cli?.catch(() => undefined);
    if (current !== cli) return;
    this.cli = undefined;
    this.background.clear();
    const updates = [...this.messages.calls.stopped(), ...this.backgroundUpdates()];
    await Promise.all(updates.map(update => this.update(update)));
    const { turn } = this;
    if (turn?.isCancelled) turn.ended.resolve({ stopReason: 'cancelled' });
    else turn?.ended.reject(end);
  }

  private async received(message: Json): Promise<void> {
    this.background.read(message);
    const usage = this.usage.update(message);
    const updates = [
      ...this.messages.updates(message),
      ...(usage ? [usage] : []),
      ...this.backgroundUpdates(),
    ];
    if (this.options.setMode(message['permissionMode'])) {
      updates.push({ sessionUpdate: 'config_option_update', configOptions: this.options.list() });
    }
    await Promise.all(updates.map(update => this.update(update)));
    if (message['type'] === 'result' && this.turn) this.resulted(message, this.turn);
  }

  private backgroundUpdates(): readonly object[] {
    const background = this.background.changed();
    const state = this.turn ? 'running' : 'idle';
    return background ? [{ sessionUpdate: 'state_update', state, background }] : [];
  }

  private resulted(result: Json, turn: Turn): void {
    const answered = [...turn.open].filter(uuid => answers(result, uuid));
    for (const uuid of answered) turn.open.delete(uuid);
    // What was said meanwhile goes with a turn that is cancelled.
    turn.isAnswered ||= turn.isCancelled ? answered.length > 0 : turn.open.size === 0;
    if (!turn.isAnswered) return;
    // The agent goes on when they have done what they were asked for, and the result of that comes then.
    const isOver = turn.isCancelled || result['is_error'] === true;
    if (this.background.hasAgents && !isOver) return;
    try {
      turn.ended.resolve(promptResponse(result, turn.isCancelled));
    } catch (error) {
      turn.ended.reject(error);
    }
  }

  private async asked(request: Json, signal: AbortSignal): Promise<Json> {
    switch (request['subtype']) {
      case 'can_use_tool':
        return request['tool_name'] === 'AskUserQuestion'
          ? this.askQuestions(request, signal)
          : this.askPermission(request, signal);
      case 'elicitation':
        return this.askForServer(request, signal);
      default:
        throw new Error(`Not supported: ${String(request['subtype'])}`);
    }
  }

  private async askPermission(request: Json, signal: AbortSignal): Promise<Json> {
    const { client, id: sessionId, cwd } = this.parts;
    const meta = this.messages.calls.metaFor(request);
    const question = permissionQuestion(request, cwd, this.options.hasAutoMode, meta);
    const { toolCall, options } = question;
    const params = { sessionId, toolCall, options };
    const response = object(
      await client.request(ClientMethod.requestPermission, params, signal).catch(() => ({})),
    );
    const outcome = object(response['outcome']);
    return question.answer(
      outcome['outcome'] === 'selected' ? text(outcome['optionId']) : undefined,
    );
  }

  private async askQuestions(request: Json, signal: AbortSignal): Promise<Json> {
    const input = object(request['input']);
    const form = questionForm(input);
    if (!form) return { behavior: 'deny', message: 'There is no question with options.' };
    const toolCallId = text(request['tool_use_id']);
    const response = await this.elicit({ ...form, ...(toolCallId && { toolCallId }) }, signal);
    return answeredQuestions(input, response);
  }

  /** What an MCP server asks the user. */
  private async askForServer(request: Json, signal: AbortSignal): Promise<Json> {
    const { mode, message, url, elicitation_id: elicitationId, requested_schema: asked } = request;
    const { action, content } = await this.elicit(
      mode === 'url'
        ? { mode, message, url, elicitationId }
        : {
            mode: 'form',
            message,
            requestedSchema: { type: 'object', properties: {}, ...object(asked) },
          },
      signal,
    );
    return { action, ...(content !== undefined && { content }) };
  }

  private async elicit(params: object, signal: AbortSignal): Promise<Json> {
    const { client, id: sessionId } = this.parts;
    const asked = client.request(ClientMethod.createElicitation, { sessionId, ...params }, signal);
    return object(await asked.catch(() => ({ action: 'cancel' })));
  }

  private update(update: object): Promise<void> {
    return this.parts.client.update(this.parts.id, update);
  }
}
