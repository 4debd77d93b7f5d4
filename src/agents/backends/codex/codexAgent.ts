/** Codex as an agent of ACP: its server, its sessions, and what belongs to none of them. */
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import {
  AgentMethod,
  ARCHIVE_SESSION_METHOD,
  CANCEL_TOOL_CALL_METHOD,
  FORK_SESSION_METHOD,
  SET_TITLE_METHOD,
  STEER_METHOD,
  UNARCHIVE_SESSION_METHOD,
} from '../../../acp/schema/methods';
import type { Json } from '../../../acp/schema/guards/primitives';
import { LineTail } from '../../process/lineTail';
import type { InProcessAgent } from '../inProcess/agentSide';
import { object, objects, text } from '../inProcess/json';
import { ProgramEnded } from '../inProcess/jsonLines';
import { howEnded, notRunError } from '../inProcess/programEnd';
import { skippedNotice } from '../inProcess/skippedNotice';
import type { ProductParts } from '../inProcess/startProduct';
import { AppServer, ServerError, type ServerHandlers } from './appServer';
import { asRequestError, CodexSession } from './codexSession';
import { skillsIn } from './commands';
import { known, unknownSession } from './knownThread';
import { replayUpdates } from './replay';
import { SessionOptions } from './sessionOptions';
import { configOf, cwdIn, idIn } from './sessionParams';
import { SignIn, signInMethods } from './signIn';
import { isArchivedFilter, sessionList } from './threadList';

const OUTPUT_LINES = 20;
/** Sessions of a list, and turns of a replay, that are asked for at once. */
const PAGE = 50;

export class CodexAgent implements InProcessAgent {
  private readonly sessions = new Map<string, CodexSession>();
  /** Sessions by the threads that are theirs, those of subagents too. */
  private readonly threads = new Map<string, CodexSession>();
  private readonly tail = new LineTail(OUTPUT_LINES);
  private readonly signIn: SignIn;
  private running: Promise<AppServer> | undefined;
  private process: AppServer | undefined;
  private isStopped = false;

  constructor(
    private readonly parts: ProductParts,
    private readonly launch = launchServer,
  ) {
    this.signIn = new SignIn(parts.client);
  }

  async request(method: string, raw: unknown, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.answer(method, object(raw), signal);
    } catch (error) {
      throw asRequestError(error);
    }
  }

  notification(method: string, params: unknown): void {
    if (method !== AgentMethod.cancel) return;
    this.sessions.get(idIn(object(params)))?.cancel();
  }

  output(): readonly string[] {
    return this.tail.toArray();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    // Also one that still starts.
    await this.running?.catch(() => undefined);
    await this.process?.stop();
  }

  private async answer(method: string, params: Json, signal: AbortSignal): Promise<object> {
    switch (method) {
      case AgentMethod.initialize:
        return this.initialized();
      case AgentMethod.authenticate:
        return this.signIn.run(await this.server(), params, signal);
      case AgentMethod.logout:
        return (await this.server()).request('account/logout');
      case AgentMethod.newSession:
        return this.create(params);
      case AgentMethod.loadSession:
        return this.takeUp(params, true);
      case AgentMethod.resumeSession:
        return this.takeUp(params, false);
      case FORK_SESSION_METHOD:
        return this.fork(params);
      case AgentMethod.listSessions:
        return this.list(params);
      case AgentMethod.deleteSession:
        return this.ofThread('thread/delete', params);
      case AgentMethod.closeSession:
        await this.close(idIn(params));
        return {};
      case AgentMethod.prompt:
        return this.session(params).prompt(params['prompt']);
      case AgentMethod.setConfigOption:
        return this.session(params).set(text(params['configId']) ?? '', params['value']);
      case CANCEL_TOOL_CALL_METHOD:
        return this.session(params).stopCommand(text(params['toolCallId']) ?? '');
      case STEER_METHOD: {
        const { idleBehavior } = object(object(params['_meta'])['steering']);
        const mayBegin = idleBehavior !== 'promptRequired';
        return this.session(params).steer(params['prompt'], mayBegin);
      }
      case SET_TITLE_METHOD: {
        const name = text(params['title']);
        if (name === undefined) throw RequestError.invalidParams('"title" must be a text.');
        const threadId = idIn(params);
        return (await this.server()).request('thread/name/set', { threadId, name });
      }
      case ARCHIVE_SESSION_METHOD:
        return this.ofThread('thread/archive', params);
      case UNARCHIVE_SESSION_METHOD:
        return this.unarchive(idIn(params));
      default:
        throw RequestError.methodNotFound(method);
    }
  }

  private async initialized(): Promise<object> {
    try {
      await this.server();
    } catch (error) {
      if (!(error instanceof ProgramEnded)) throw error;
      throw new RequestError(ErrorCode.internal, howEnded('Codex', error));
    }
    return {
      protocolVersion: 1,
      agentInfo: { name: 'codex', title: 'Codex', version: this.parts.version },
      agentCapabilities: {
        auth: { logout: {} },
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: {
          additionalDirectories: {},
          archive: {},
          close: {},
          delete: {},
          fork: {},
          list: {},
          resume: {},
          title: {},
        },
      },
      authMethods: signInMethods(),
      _meta: { steering: { supported: true } },
    };
  }

  private async create(params: Json): Promise<object> {
    const server = await this.server();
    const cwd = cwdIn(params);
    const config = configOf(params, cwd);
    const started = await server.request('thread/start', { cwd, ...config });
    return this.opened(server, started, cwd, config);
  }

  private async takeUp(params: Json, replays: boolean): Promise<object> {
    const threadId = idIn(params);
    const cwd = cwdIn(params);
    const config = configOf(params, cwd);
    const server = await this.server();
    const asked = { threadId, cwd, excludeTurns: true, ...config };
    const resumed = await known(server.request('thread/resume', asked), threadId);
    if (replays) await this.replay(server, threadId, cwd);
    return this.opened(server, resumed, cwd, config);
  }

  private async fork(params: Json): Promise<object> {
    const threadId = idIn(params);
    const cwd = cwdIn(params);
    const config = configOf(params, cwd);
    const server = await this.server();
    const asked = { threadId, cwd, excludeTurns: true, ...config };
    return this.opened(
      server,
      await known(server.request('thread/fork', asked), threadId),
      cwd,
      config,
    );
  }

  private async opened(
    server: AppServer,
    answer: Json,
    cwd: string,
    config: Json,
  ): Promise<object> {
    const id = text(object(answer['thread'])['id']) ?? '';
    const [models, skills] = await Promise.all([
      server.request('model/list').catch((): Json => ({})),
      server.request('skills/list', { cwds: [cwd] }).catch((): Json => ({})),
    ]);
    const options = new SessionOptions(
      objects(models['data']).filter(({ model }) => text(model) !== undefined),
    );
    options.read(answer);
    const session: CodexSession = new CodexSession(
      {
        id,
        cwd,
        client: this.parts.client,
        options,
        skills: skillsIn(skills),
        config,
        server: () => this.server(),
        adopt: threadId => this.threads.set(threadId, session),
      },
      server,
    );
    this.sessions.set(id, session);
    this.threads.set(id, session);
    // The client knows the session once it has the answer.
    setImmediate(() => {
      void session.introduce();
      void this.showLimits(server, session);
    });
    return { sessionId: id, configOptions: session.configOptions };
  }

  /** What is used of the subscription, where there is one. */
  private async showLimits(server: AppServer, session: CodexSession): Promise<void> {
    try {
      const { account } = await server.request('account/read');
      if (object(account)['type'] !== 'chatgpt') return;
      const { rateLimits } = await server.request('account/rateLimits/read');
      await session.limitsChanged(object(rateLimits));
    } catch {
      // They come with the next answer of a model, too.
    }
  }

  private async replay(server: AppServer, threadId: string, cwd: string): Promise<void> {
    const asked = { threadId, itemsView: 'full', sortDirection: 'asc', limit: PAGE };
    let cursor: string | undefined;
    do {
      const page = await server.request('thread/turns/list', {
        ...asked,
        ...(cursor && { cursor }),
      });
      for (const update of replayUpdates(objects(page['data']), cwd)) {
        await this.parts.client.update(threadId, update);
      }
      const next = text(page['nextCursor']);
      cursor = next === cursor ? undefined : next;
    } while (cursor !== undefined);
  }

  private async list(params: Json): Promise<object> {
    const [cwd, cursor] = [text(params['cwd']), text(params['cursor'])];
    const archived = isArchivedFilter(params['archived']);
    const server = await this.server();
    const asked = {
      limit: PAGE,
      sortKey: 'updated_at',
      archived,
      ...(cwd && { cwd }),
      ...(cursor && { cursor }),
    };
    return sessionList(await server.request('thread/list', asked), archived);
  }

  /** Does something to a thread that ends its session. */
  private async ofThread(method: string, params: Json): Promise<object> {
    const threadId = idIn(params);
    await this.close(threadId);
    await known((await this.server()).request(method, { threadId }), threadId);
    return {};
  }

  /** Also a thread that is not archived. */
  private async unarchive(threadId: string): Promise<object> {
    const server = await this.server();
    await server.request('thread/unarchive', { threadId }).catch((error: unknown) => {
      if (!(error instanceof ServerError && /no archived rollout/i.test(error.message)))
        throw error;
    });
    return {};
  }

  private server(): Promise<AppServer> {
    this.running ??= this.start().catch((error: unknown) => {
      this.running = undefined;
      throw error;
    });
    return this.running;
  }

  private async start(): Promise<AppServer> {
    const { clientVersion } = this.parts;
    const server = await this.launch(this.parts, {
      maxLineBytes: this.parts.maxLineBytes,
      notified: (method, params) => this.notified(method, params),
      asked: (method, params, signal) => this.asked(method, params, signal),
      skipped: bytes => void this.skipped(bytes),
      output: line => {
        this.tail.push(line);
        this.parts.output(line);
      },
    });
    this.process = server;
    void server.ended.then(end => this.ended(server, end));
    if (this.isStopped) void server.stop();
    await server.request('initialize', {
      clientInfo: { name: 'parley', title: 'Parley', version: clientVersion },
      capabilities: { experimentalApi: true, requestAttestation: false },
    });
    server.notify('initialized');
    return server;
  }

  private async ended(server: AppServer, end: ProgramEnded): Promise<void> {
    if (this.process === server) this.running = this.process = undefined;
    await Promise.all([...this.sessions.values()].map(each => each.serverEnded(server, end)));
  }

  private async notified(method: string, params: Json): Promise<void> {
    const { threadId } = params;
    const session = this.threads.get(text(threadId) ?? '');
    switch (method) {
      case 'account/login/completed':
        return this.signIn.completed(params);
      case 'account/rateLimits/updated': {
        const limits = object(params['rateLimits']);
        const working = [...this.sessions.values()].filter(({ isWorking }) => isWorking);
        await Promise.all(working.map(each => each.limitsChanged(limits)));
        return;
      }
      case 'mcpServer/startupStatus/updated':
        if (params['status'] !== 'failed') return;
        return session?.serverFailed(text(params['name']) ?? '?', text(params['error']));
      case 'configWarning':
      case 'deprecationNotice':
        return this.parts.output(`${method}: ${text(params['summary']) ?? ''}`);
      default:
        await session?.notified(method, params);
    }
  }

  private asked(method: string, params: Json, signal: AbortSignal): Promise<Json> {
    const threadId = text(params['threadId']) ?? text(params['conversationId']);
    const session = this.threads.get(threadId ?? '') ?? this.working();
    if (!session) return Promise.reject(new Error(`Not supported: ${method}`));
    return session.asked(method, params, signal);
  }

  /** What a thread that nobody announced asks is for whoever works. */
  private working(): CodexSession | undefined {
    return [...this.sessions.values()].findLast(({ isWorking }) => isWorking);
  }

  private async skipped(bytes: number): Promise<void> {
    const { client } = this.parts;
    await Promise.all([...this.sessions.keys()].map(id => client.update(id, skippedNotice(bytes))));
  }

  private async close(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    for (const [thread, owner] of this.threads) if (owner === session) this.threads.delete(thread);
    await session?.close();
  }

  private session(params: Json): CodexSession {
    const id = idIn(params);
    const session = this.sessions.get(id);
    if (!session) throw unknownSession(id);
    return session;
  }
}

async function launchServer(
  { spec, processes }: ProductParts,
  handlers: ServerHandlers,
): Promise<AppServer> {
  try {
    const launch = { ...spec, args: [...spec.args, 'app-server'] };
    return await AppServer.start(launch, processes, handlers);
  } catch (error) {
    throw notRunError(spec.command, error);
  }
}
