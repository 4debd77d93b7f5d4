/** A chat with a real agent process on the other side; the editor is small but real files are written. */
import { mkdtempSync, readFileSync, writeFileSync, rmSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TrafficTap } from '../../../src/acp/transport/transport';
import type { Protocol, StdioAgent } from '../../../src/agents/definitions';
import { AgentSupervisor, type AgentSupervisorOptions } from '../../../src/agents/supervisor';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import type { SignInPrompts } from '../../../src/agents/signIn';
import { nullLogger } from '../../../src/base/logger';
import { Chats, type Chat } from '../../../src/session/chats';
import {
  FileError,
  type AgentTracking,
  type AttachmentSource,
  type OptionDefaults,
  type PermissionLog,
  type PermissionRules,
  type ProposalEdits,
  type TextFiles,
} from '../../../src/session/ports';
import type { ConnectionSettings } from '../../../src/session/lifecycle/sessionConnection';
import type { AgentLimits } from '../../../src/agents/backends/acp/agentLimits';
import type { FileLimitSettings } from '../../../src/session/requests/fileLimits';
import type { PromptLimitSettings } from '../../../src/session/turns/promptLimits';
import type { SessionState } from '../../../src/session/state/state';
import type { SessionStore } from '../../../src/session/state/store';
import { recordingQuestions } from './questions';
import { ProcessTerminals } from '../../../src/terminals/processTerminals';
import { realPath } from '../../../src/vscode/files/realPath';
import { resolveInScope } from '../../../src/vscode/files/scopedPath';

const AGENT = resolve('test/unit/session/programAgent.mjs');

/** Reads and writes in the scope; enough of an editor for the session's tests. */
const diskFiles: TextFiles = {
  realPath,
  read: async (path, scope) => {
    const { real } = await resolveInScope(path, scope);
    try {
      return { text: readFileSync(real, 'utf8'), edits: 0 };
    } catch {
      throw new FileError('notFound', `No such file: ${path}`);
    }
  },
  write: async (path, content, scope) => {
    const { real } = await resolveInScope(path, scope);
    writeFileSync(real, content);
    return { text: content, edits: 0 };
  },
};

/** Far beyond what anything here takes, also on a busy machine. */
const WAIT_MS = 60_000;

/** Unique over all worlds of a process: chats move between them. */
let ids = 0;

export interface World {
  readonly chats: Chats;
  readonly agent: AgentSupervisor;
  /** Another agent, by the name of `Other`, that does the same. */
  readonly other: AgentSupervisor;
  readonly chat: Chat;
  readonly cwd: string;
  readonly state: SessionState;
  /** Web pages that were opened. */
  readonly opened: readonly string[];
  /** Resolves when the chat's state satisfies `condition`. */
  until(condition: (state: SessionState) => unknown): Promise<SessionState>;
  /** Sends a program and waits for the end of its turn. */
  run(program: readonly unknown[]): Promise<SessionState>;
  send(program: readonly unknown[]): void;
  end(): Promise<void>;
}

/** Resolves when the state of `store` satisfies `condition`. */
export function untilState(
  store: SessionStore,
  condition: (state: SessionState) => unknown,
): Promise<SessionState> {
  return new Promise((done, fail) => {
    // A wait for what never comes must say what it waited for, not hold up the suite.
    const { stack } = new Error(String(condition));
    const deadline = setTimeout(() => {
      const { connection, turns, activeTurn } = store.state;
      fail(new Error(`${stack}\nstill ${JSON.stringify({ connection, turns, activeTurn })}`));
    }, WAIT_MS);
    const check = () => {
      if (!condition(store.state)) return;
      subscription.dispose();
      clearTimeout(deadline);
      done(store.state);
    };
    const subscription = store.onDidApply(() => queueMicrotask(check));
    check();
  });
}

export async function world(
  program: Record<string, unknown> = {},
  options: {
    connect?: boolean;
    restore?: (cwd: string) => SessionState;
    proposals?: ProposalEdits;
    asksBeforeWriting?: boolean;
    tap?: TrafficTap;
    mcpServers?: ConnectionSettings['mcpServers'];
    attachments?: AttachmentSource;
    fileLimits?: () => FileLimitSettings;
    promptLimits?: () => PromptLimitSettings;
    agentLimits?: () => Partial<AgentLimits>;
    newSessionSeconds?: () => number;
    /** A clock that can be ahead of the time, in milliseconds. */
    ahead?: () => number;
    defaults?: OptionDefaults;
    signIn?: SignInPrompts;
    additionalDirectories?: readonly string[];
    /** Of a server that is spoken to instead of a process. */
    url?: string;
    headers?: Readonly<Record<string, string>>;
    /** What else the agents' supervisors are given, instead of what is here. */
    host?: Partial<AgentSupervisorOptions>;
    /** The folders that are open now, instead of the one that the chat works in. */
    roots?: (cwd: string) => readonly string[];
    tracking?: AgentTracking;
    rules?: PermissionRules;
    permissionLog?: PermissionLog;
    mayPrompt?: (state: SessionState) => boolean;
    /** The agent's program, instead of the one that does what it is told. */
    agentFile?: string;
    /** That program is only the first agent's: the other one does what it is told. */
    isOtherGood?: boolean;
    /** Or how the agent is started altogether. */
    launch?: Pick<StdioAgent, 'command' | 'args' | 'env'> & { readonly type?: 'claude' | 'codex' };
    protocol?: Protocol;
    idleMinutes?: () => number;
    children?: AgentSupervisorOptions['children'];
    /** Where the chat works, made before: by default a folder of its own. */
    cwd?: string;
  } = {},
): Promise<World> {
  const cwd = options.cwd ?? realpathSync(mkdtempSync(join(tmpdir(), 'parley-session-')));
  const processes = new ProcessTracker();
  const opened: string[] = [];
  const environment = { get: () => Promise.resolve(process.env as Record<string, string>) };
  const isGood = (name: string) => name === 'Other' && options.isOtherGood === true;
  const host = (name: string) =>
    new AgentSupervisor(
      options.url === undefined
        ? {
            kind: options.launch?.type ?? 'stdio',
            name,
            ...(options.launch ?? {
              command: process.execPath,
              args: [(isGood(name) ? undefined : options.agentFile) ?? AGENT],
              env: { PROGRAM: JSON.stringify(program) },
            }),
            environment: 'editor',
            ...(options.protocol && { protocol: options.protocol }),
          }
        : { kind: 'remote', name, url: options.url, headers: options.headers ?? {} },
      {
        logger: nullLogger,
        processes,
        environment,
        settings: () => ({
          initializeSeconds: 30,
          maxLineBytes: 1 << 20,
          ...options.agentLimits?.(),
        }),
        workspaceFolder: () => cwd,
        clientVersion: '0.0.0',
        now: Date.now,
        ...(options.idleMinutes && { idleMinutes: options.idleMinutes }),
        ...(options.children && { children: options.children }),
        ...(options.tap && { tap: options.tap }),
        ...(options.signIn && { signIn: options.signIn }),
        ...options.host,
      },
    );
  const agent = host('Program');
  const other = host('Other');
  const chats = new Chats({
    files: diskFiles,
    terminals: new ProcessTerminals({ logger: nullLogger, environment, processes }),
    mirror: { attach: () => ({ dispose() {} }), reveal() {} },
    attachments: options.attachments ?? {
      resolve: attachment => {
        if (attachment.label === 'gone') throw new FileError('notFound', 'gone');
        return Promise.resolve([
          { type: 'resource_link', uri: 'file:///x', name: attachment.label },
        ]);
      },
    },
    environment: {
      now: () => Date.now() + (options.ahead?.() ?? 0),
      newId: () => `id${(ids += 1)}`,
      after: (milliseconds, task) => {
        const timer = setTimeout(task, milliseconds - (options.ahead?.() ?? 0));
        return { dispose: () => clearTimeout(timer) };
      },
    },
    settings: {
      newSessionSeconds: () => options.newSessionSeconds?.() ?? 30,
      mcpServers: options.mcpServers ?? (() => Promise.resolve([])),
    },
    ...(options.fileLimits && { fileLimits: options.fileLimits }),
    ...(options.promptLimits && { promptLimits: options.promptLimits }),
    ...(options.defaults && { defaults: options.defaults }),
    ...(options.tracking && { tracking: options.tracking }),
    ...(options.rules && { rules: options.rules }),
    ...(options.permissionLog && { permissionLog: options.permissionLog }),
    ...(options.mayPrompt && { mayPrompt: options.mayPrompt }),
    ...(options.proposals && { proposals: options.proposals }),
    asksBeforeWriting: () => options.asksBeforeWriting === true,
    logger: nullLogger,
    agent: name => [agent, other].find(one => one.name === name),
    questions: recordingQuestions(opened),
    place: () => ({
      cwd,
      additionalDirectories: options.additionalDirectories ?? [],
      get roots() {
        return options.roots?.(cwd) ?? [cwd];
      },
    }),
  });
  const chat = options.restore ? chats.restore(options.restore(cwd), 0) : chats.create('Program');
  if (!chat) throw new Error('no chat');
  const { store, controller } = chat;
  const until = (condition: (state: SessionState) => unknown) => untilState(store, condition);
  if (!options.restore && options.connect !== false) {
    await until(state => state.connection.kind === 'ready');
  }
  return {
    chats,
    agent,
    other,
    chat,
    opened,
    cwd,
    get state() {
      return store.state;
    },
    until,
    async run(steps) {
      const { length } = store.state.turns;
      controller.send(JSON.stringify(steps));
      return until(state => !state.activeTurn && state.turns.length > length);
    },
    send: steps => controller.send(JSON.stringify(steps)),
    async end() {
      await chats.closeAll();
      chats.dispose();
      await Promise.all([agent.stop(), other.stop()]);
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}
