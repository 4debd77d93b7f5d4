/** The demo agent: the protocol's methods on one side, sessions and scenes on the other. */
import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import type * as schema from '../acp/schema/schema';
import { readAsk, type Ask } from './ask';
import { Client } from './client';
import { record } from './history';
import type { Peer } from './peer';
import { Cancelled, ErrorCode, RpcError, type Params } from './peer';
import type { Scene } from './scene';
import { availableCommands, chooseScene } from './sceneList';
import { contextSize } from './scenes/trouble';
import { Sessions, type Session } from './sessions';
import { applyOption, configOptions, modeState } from './settings';
import { Turn } from './turn';

export interface DemoOptions {
  readonly version: string;
  /** Folder for sessions; none keeps them in memory. */
  readonly dataFolder?: string;
  /** Factor on all waiting between pieces of an answer. */
  readonly pace: number;
}

/** Pretend dollars for a pretend token. */

export class DemoAgent {
  private readonly sessions: Sessions;
  private capabilities: schema.ClientCapabilities = {};

  constructor(
    private readonly peer: Peer,
    private readonly options: DemoOptions,
  ) {
    this.sessions = new Sessions(options.dataFolder);
    peer.on('initialize', params => this.initialize(params));
    peer.on('session/new', params => this.newSession(params));
    peer.on('session/load', params => this.loadSession(params));
    peer.on('session/resume', params => this.resumeSession(params));
    peer.on('session/list', params => this.listSessions(params));
    peer.on('session/close', params => this.sessions.close(params['sessionId']));
    peer.on('session/delete', params => this.sessions.delete(params['sessionId']));
    peer.on('session/set_mode', params => this.setMode(params));
    peer.on('session/set_config_option', params => this.setConfigOption(params));
    peer.on('session/prompt', params => this.prompt(params));
    peer.on('session/cancel', params => this.sessions.get(params['sessionId']).running?.abort());
  }

  private initialize(params: Params): schema.InitializeResponse {
    this.capabilities = params['clientCapabilities'] ?? {};
    return {
      protocolVersion: 1,
      agentInfo: { name: 'parley-demo', title: 'Parley Demo', version: this.options.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      authMethods: [],
    };
  }

  private newSession(params: Params): schema.NewSessionResponse {
    const session = this.sessions.create(workingFolder(params));
    this.announce(session);
    return { sessionId: session.id, ...this.describe(session) };
  }

  private loadSession(params: Params): schema.LoadSessionResponse {
    const session = this.sessions.get(params['sessionId']);
    for (const update of session.history) this.notify(session, update);
    this.announce(session);
    return this.describe(session);
  }

  private resumeSession(params: Params): schema.ResumeSessionResponse {
    const session = this.sessions.get(params['sessionId']);
    this.announce(session);
    return this.describe(session);
  }

  private listSessions(params: Params): schema.ListSessionsResponse {
    const { cwd } = params;
    return { sessions: this.sessions.list(typeof cwd === 'string' ? cwd : undefined) };
  }

  private setMode(params: Params): void {
    const session = this.sessions.get(params['sessionId']);
    applyOption(session.settings, 'mode', params['modeId']);
    this.notify(session, {
      sessionUpdate: 'config_option_update',
      configOptions: this.optionsOf(session),
    });
  }

  private setConfigOption(params: Params): schema.SetSessionConfigOptionResponse {
    const session = this.sessions.get(params['sessionId']);
    const before = session.settings.mode;
    applyOption(session.settings, params['configId'], params['value']);
    if (session.settings.mode !== before) {
      const currentModeId = session.settings.mode;
      this.notify(session, { sessionUpdate: 'current_mode_update', currentModeId });
    }
    return { configOptions: this.optionsOf(session) };
  }

  private async prompt(params: Params): Promise<schema.PromptResponse> {
    const session = this.sessions.get(params['sessionId']);
    const blocks = params['prompt'];
    if (!Array.isArray(blocks)) throw new RpcError(ErrorCode.invalidParams, 'prompt is missing');
    if (session.running) throw new RpcError(ErrorCode.invalidRequest, 'A turn is running already');
    const controller = new AbortController();
    session.running = controller;
    const prompt = blocks as schema.ContentBlock[];
    const ask = readAsk(prompt, session.cwd);
    const scene = chooseScene(ask, session.history.length === 0);
    rememberPrompt(session, prompt);
    try {
      return { stopReason: await this.play(session, scene, ask, controller.signal) };
    } finally {
      delete session.running;
      this.sessions.save(session);
    }
  }

  private async play(
    session: Session,
    scene: Scene,
    ask: Ask,
    signal: AbortSignal,
  ): Promise<schema.StopReason> {
    const client = new Client(this.peer, session.id, this.capabilities, signal);
    let written = ask.text.length;
    const turn = new Turn(session, client, signal, this.options.pace, update => {
      record(session.history, update);
      if (update.sessionUpdate.endsWith('_chunk')) written += JSON.stringify(update).length / 4;
      this.notify(session, update);
    });
    let reason: schema.StopReason;
    try {
      turn.title(scene.title);
      if (ask.note !== undefined) await turn.say(`${noteTaken(ask.note)}\n\n`);
      reason = (await scene.play(turn, ask)) ?? 'end_turn';
      if (scene.next !== undefined && session.settings.suggestions && reason === 'end_turn') {
        await turn.say(`\n\n*Next:* ${scene.next}`);
      }
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      reason = 'cancelled';
    } finally {
      this.sendUsage(session, Math.ceil(written / 4));
    }
    return reason;
  }

  private sendUsage(session: Session, tokens: number): void {
    const { model } = session.settings;
    const size = contextSize(model);
    session.usage.used = Math.min(size, session.usage.used + tokens);
    this.notify(session, usageUpdate(session, size));
  }

  /** What a client should know as soon as it knows the session: after the answer that names it. */
  private announce(session: Session): void {
    setImmediate(() => {
      this.notify(session, {
        sessionUpdate: 'available_commands_update',
        availableCommands: availableCommands(),
      });
      if (session.history.length > 0) {
        this.notify(session, usageUpdate(session, contextSize(session.settings.model)));
      }
    });
  }

  private describe(session: Session): {
    modes: schema.SessionModeState;
    configOptions: schema.SessionConfigOption[];
  } {
    return { modes: modeState(session.settings), configOptions: this.optionsOf(session) };
  }

  private optionsOf(session: Session): schema.SessionConfigOption[] {
    const known = this.capabilities.session?.configOptions?.boolean;
    return configOptions(session.settings, known != null);
  }

  private notify(session: Session, update: schema.SessionUpdate): void {
    this.peer.notify('session/update', { sessionId: session.id, update });
  }
}

function usageUpdate(session: Session, size: number): schema.SessionUpdate {
  return { sessionUpdate: 'usage_update', used: session.usage.used, size };
}

/** Shows what the client sent, so that one can see that it reached the agent. */
function noteTaken(note: string): string {
  const patch = /^(`{3,})diff\n[\s\S]*?^\1$/m.exec(note)?.[0];
  return `You changed my edit before you allowed it. I go on from your version.${patch === undefined ? '' : `\n\n${patch}`}`;
}

/** The user's own words, so that a loaded session shows both sides. */
function rememberPrompt(session: Session, prompt: readonly schema.ContentBlock[]): void {
  const messageId = randomUUID();
  for (const content of prompt) {
    record(session.history, { sessionUpdate: 'user_message_chunk', content, messageId });
  }
}

function workingFolder(params: Params): string {
  const { cwd } = params;
  if (typeof cwd === 'string' && path.isAbsolute(cwd)) return cwd;
  throw new RpcError(ErrorCode.invalidParams, 'cwd must be an absolute path');
}
