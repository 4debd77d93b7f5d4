/** Claude Code as an agent of ACP: its sessions, and what belongs to none of them. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import {
  AgentMethod,
  CANCEL_TOOL_CALL_METHOD,
  FORK_SESSION_METHOD,
  SET_TITLE_METHOD,
  STEER_METHOD,
} from '../../../acp/schema/methods';
import type { Json } from '../../../acp/schema/guards/primitives';
import type { InProcessAgent } from '../inProcess/agentSide';
import { object, strings, text } from '../inProcess/json';
import { notRunError } from '../inProcess/programEnd';
import type { ProductParts } from '../inProcess/startProduct';
import { runBriefly } from '../../process/briefRun';
import { LineTail } from '../../process/lineTail';
import { ClaudeSession } from './claudeSession';
import { CliProcess, type CliHandlers } from './cliProcess';
import { mcpServers } from './mcpServers';
import { secretFile, type SecretFile } from './secretFile';
import { replayUpdates } from './replay';
import { Transcripts } from './transcripts';

/** JSON a line in both directions, questions among them, and what is written as it is. */
const STREAM = [
  ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
  ...['--permission-prompt-tool', 'stdio', '--include-partial-messages'],
];

const OUTPUT_LINES = 20;
const PAGE = 50;
const SIGN_OUT_MS = 20_000;

/** The user may have said so on the command line; Parley does not. */
const BYPASS = /^--(?:allow-)?dangerously-skip-permissions$/;

export class ClaudeAgent implements InProcessAgent {
  private readonly sessions = new Map<string, ClaudeSession>();
  private readonly transcripts: Transcripts;
  private readonly tail = new LineTail(OUTPUT_LINES);
  private readonly running = new Set<CliProcess>();

  constructor(private readonly parts: ProductParts) {
    this.transcripts = new Transcripts(parts.spec.env, homedir());
  }

  async request(method: string, raw: unknown, signal: AbortSignal): Promise<unknown> {
    const params = object(raw);
    switch (method) {
      case AgentMethod.initialize:
        return this.initialized();
      case AgentMethod.logout:
        return this.signOut();
      case AgentMethod.newSession:
        return this.create(params, signal);
      case AgentMethod.loadSession:
        return this.takeUp(params, true, signal);
      case AgentMethod.resumeSession:
        return this.takeUp(params, false, signal);
      case FORK_SESSION_METHOD:
        return this.fork(params, signal);
      case AgentMethod.listSessions:
        return this.list(params);
      case AgentMethod.deleteSession: {
        const id = idIn(params);
        await this.close(id);
        await this.transcripts.delete(id);
        return {};
      }
      case AgentMethod.closeSession:
        await this.close(idIn(params));
        return {};
      case AgentMethod.prompt:
        return this.session(params).prompt(params['prompt']);
      case STEER_METHOD: {
        const isTaken = await this.session(params).steer(params['prompt']);
        return { outcome: isTaken ? 'injected' : 'promptRequired' };
      }
      case CANCEL_TOOL_CALL_METHOD:
        return this.session(params).stopTask(text(params['toolCallId']) ?? '');
      case SET_TITLE_METHOD:
        return this.session(params).rename(text(params['title']) ?? '');
      case AgentMethod.setConfigOption:
        return this.session(params).set(text(params['configId']) ?? '', params['value']);
      default:
        throw RequestError.methodNotFound(method);
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
    const { sessions, running } = this;
    await Promise.all([...sessions.values()].map(session => session.close()));
    // Those that still start, too.
    await Promise.all([...running].map(cli => cli.stop()));
  }

  private initialized(): object {
    return {
      protocolVersion: 1,
      agentInfo: { name: 'claude-code', title: 'Claude Code', version: this.parts.version },
      agentCapabilities: {
        auth: { logout: {} },
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: {
          additionalDirectories: {},
          close: {},
          delete: {},
          fork: {},
          list: {},
          resume: {},
          title: {},
        },
      },
      _meta: { steering: { supported: true } },
      authMethods: [
        signIn('claude-ai-login', l10n.t('Claude Subscription'), '--claudeai'),
        signIn('console-login', l10n.t('Anthropic Console'), '--console'),
      ],
    };
  }

  private async signOut(): Promise<object> {
    const { spec, processes } = this.parts;
    const args = [...spec.args, 'auth', 'logout'];
    const run = await runBriefly({ ...spec, args }, processes, SIGN_OUT_MS);
    if (run?.code === 0) return {};
    const words = run?.stderr.at(-1) ?? l10n.t('Claude Code gave no reason.');
    throw new RequestError(ErrorCode.internal, words);
  }

  private async create(params: Json, signal: AbortSignal): Promise<object> {
    const id = randomUUID();
    return this.opened(id, params, ['--session-id', id], signal);
  }

  private async takeUp(params: Json, replays: boolean, signal: AbortSignal): Promise<object> {
    const id = idIn(params);
    if (!(await this.transcripts.has(id))) throw unknownSession(id);
    // The file has one writer.
    await this.close(id);
    if (replays) {
      const records = await this.transcripts.read(id);
      for (const update of replayUpdates(records, cwdIn(params))) {
        await this.parts.client.update(id, update);
      }
    }
    return this.opened(id, params, ['--resume', id], signal);
  }

  private async fork(params: Json, signal: AbortSignal): Promise<object> {
    const source = idIn(params);
    if (!(await this.transcripts.has(source))) throw unknownSession(source);
    const id = randomUUID();
    const args = ['--resume', source, '--fork-session', '--session-id', id];
    return this.opened(id, params, args, signal);
  }

  private async opened(
    id: string,
    params: Json,
    args: readonly string[],
    signal: AbortSignal,
  ): Promise<object> {
    const { client, spec, maxLineBytes } = this.parts;
    const cwd = cwdIn(params);
    const session = new ClaudeSession(
      {
        id,
        cwd,
        client,
        mayBypass: spec.args.some(arg => BYPASS.test(arg)),
        maxLineBytes,
        start: (own, handlers) => this.start(cwd, own, mcpConfig(params), handlers),
        isStored: () => this.transcripts.has(id),
        output: line => this.parts.output(line),
      },
      sessionArgs(params),
    );
    this.sessions.set(id, session);
    // Nobody waits for it any more.
    const abandon = (): void => void this.close(id);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      const opened = await session.open(args);
      // The client knows the session once it has the answer.
      setImmediate(() => void session.introduce());
      return { sessionId: id, ...opened };
    } catch (error) {
      this.sessions.delete(id);
      await session.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  private async start(
    cwd: string,
    args: readonly string[],
    mcp: string | undefined,
    handlers: CliHandlers,
  ): Promise<CliProcess> {
    const { spec, processes } = this.parts;
    let file: SecretFile | undefined;
    try {
      // Keys of MCP servers are for no list of processes.
      file = mcp === undefined ? undefined : await secretFile(mcp);
      const servers = file ? ['--mcp-config', file.path] : [];
      const launch = { ...spec, cwd, args: [...spec.args, ...STREAM, ...args, ...servers] };
      const cli = await CliProcess.start(launch, processes, {
        ...handlers,
        output: line => {
          this.tail.push(line);
          handlers.output(line);
        },
      });
      this.running.add(cli);
      void cli.ended.then(() => this.running.delete(cli));
      void cli.isReady.then(() => file?.remove());
      return cli;
    } catch (error) {
      await file?.remove();
      throw notRunError(spec.command, error);
    }
  }

  private async list(params: Json): Promise<object> {
    const cwd = text(params['cwd']);
    const offset = Number(text(params['cursor']) ?? 0) || 0;
    const all = await this.transcripts.list(cwd);
    const sessions = all
      .slice(offset, offset + PAGE)
      .map(({ id, cwd: folder, title, changedAt }) => ({
        sessionId: id,
        cwd: folder,
        title,
        updatedAt: new Date(changedAt).toISOString(),
      }));
    const next = offset + PAGE;
    return { sessions, ...(all.length > next && { nextCursor: String(next) }) };
  }

  private async close(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    await session?.close();
  }

  private session(params: Json): ClaudeSession {
    const id = idIn(params);
    const session = this.sessions.get(id);
    if (!session) throw unknownSession(id);
    return session;
  }
}

function signIn(id: string, name: string, option: string): object {
  return { id, name, type: 'terminal', args: ['auth', 'login', option] };
}

function sessionArgs(params: Json): readonly string[] {
  return strings(params['additionalDirectories']).flatMap(path => ['--add-dir', path]);
}

/** The CLI's configuration of the session's MCP servers; undefined when there are none. */
function mcpConfig(params: Json): string | undefined {
  const servers = mcpServers(params['mcpServers']);
  return Object.keys(servers).length > 0 ? JSON.stringify({ mcpServers: servers }) : undefined;
}

function idIn(params: Json): string {
  return text(params['sessionId']) ?? '';
}

/** @throws RequestError */
function cwdIn(params: Json): string {
  const cwd = text(params['cwd']);
  if (cwd === undefined || !isAbsolute(cwd)) {
    throw RequestError.invalidParams('"cwd" must be an absolute path.');
  }
  return cwd;
}

function unknownSession(id: string): RequestError {
  return new RequestError(ErrorCode.resourceNotFound, `Session not found: ${id}`);
}
