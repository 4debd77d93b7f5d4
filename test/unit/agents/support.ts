/** Starts fixture agents as Parley does, and proves that nothing of them is left afterwards. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';
import { AgentSupervisor, type AgentSupervisorOptions } from '../../../src/agents/supervisor';
import type { StdioAgent } from '../../../src/agents/definitions';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import type { Logger } from '../../../src/base/logger';
import type * as schema from '../../../src/acp/schema/schema';
import {
  AgentError,
  type AgentLink,
  type AgentStatus,
  type SessionClient,
} from '../../../src/session/ports';
import type { Problem } from '../../../src/session/state/state';

export const FIXTURES = path.resolve(import.meta.dirname, '../../agents');

const MARKER = 'PARLEY_TEST_MARKER';

export interface Rig {
  readonly host: AgentSupervisor;
  readonly statuses: AgentStatus[];
  readonly log: string[];
  readonly stderr: string[];
  readonly processes: ProcessTracker;
  /** Processes of this rig that run now, wherever they have moved. */
  running(): number[];
}

export interface RigOptions extends Partial<AgentSupervisorOptions> {
  readonly definition?: Partial<Omit<StdioAgent, 'kind'>> & {
    readonly kind?: 'stdio' | 'claude' | 'codex';
  };
  readonly initializeSeconds?: number;
  readonly maxLineBytes?: number;
}

/** A host for the fixture `name`; when the test ends it is stopped and nothing may be left. */
export function rig(t: TestContext, name: string, options: RigOptions = {}): Rig {
  const id = randomUUID();
  const { logger, log } = recordingLogger();
  const stderr: string[] = [];
  const statuses: AgentStatus[] = [];
  const processes = new ProcessTracker();
  const { definition, initializeSeconds = 20, maxLineBytes = 32 * 1024 * 1024, ...rest } = options;
  const host = new AgentSupervisor(
    {
      kind: 'stdio',
      name: 'Fixture',
      command: process.execPath,
      args: [path.join(FIXTURES, `${name}.mjs`)],
      environment: 'editor',
      ...definition,
      env: { [MARKER]: id, ...definition?.env },
    },
    {
      logger,
      processes,
      environment: { get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '' }) },
      settings: () => ({ initializeSeconds, maxLineBytes }),
      workspaceFolder: () => tmpdir(),
      clientVersion: '0.0.1',
      now: () => Date.now(),
      onStderr: line => void stderr.push(line),
      ...rest,
    },
  );
  host.onDidChangeStatus(status => void statuses.push(status));
  t.after(async () => {
    await host.stop();
    assert.deepEqual(processesWith(id), [], 'processes left running');
  });
  return { host, statuses, log, stderr, processes, running: () => processesWith(id) };
}

export function recordingLogger(): { logger: Logger; log: string[] } {
  const log: string[] = [];
  const write = (level: string) => (message: string, cause?: unknown) => {
    log.push(`${level}: ${message}${cause === undefined ? '' : ` ${inspect(cause)}`}`);
  };
  return {
    log,
    logger: {
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    },
  };
}

/** A shell by the name of a browser; it runs until it is killed, says `up`, and has a child. */
export function browserIn(folder: string): string {
  const program = path.join(folder, 'firefox');
  copyFileSync(realpathSync('/bin/sh'), program);
  return `"${program}" -c 'echo up; while sleep 600 || :; do :; done'`;
}

/** Ends all processes of that environment, which have no other end. */
export function killAllWith(id: string): void {
  for (let left = processesWith(id); left.length > 0; left = processesWith(id)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
  }
}

/** The environment variable that `processesWith(id)` looks for. */
export function marked(id: string): Record<string, string> {
  return { [MARKER]: id };
}

/** Pids of the processes (zombies aside) started with `marked(id)` in their environment. */
export function processesWith(id: string): number[] {
  return readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .map(Number)
    .filter(pid => pid !== process.pid && environment(pid).includes(`${MARKER}=${id}`));
}

/**
 * Fails if processes of `id` still run after `ms`: for what is killed, or ends by itself, without being
 * waited for. Processes that are not our children have no event for their end, hence the polling.
 */
export async function assertGone(id: string, ms = 1000): Promise<void> {
  const deadline = performance.now() + ms;
  let left = processesWith(id);
  while (left.length > 0 && performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 10));
    left = processesWith(id);
  }
  // Not looked at once more: a process that is about to become another one is missed now and then.
  assert.deepEqual(left, [], 'processes left running');
}

/** Empty for a zombie, and for a process that is gone. */
function environment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** The problem `connect` fails with. */
export async function problemOf(connecting: Promise<unknown>): Promise<Problem> {
  try {
    await connecting;
  } catch (error) {
    assert.ok(error instanceof AgentError, `not an AgentError: ${String(error)}`);
    return error.problem;
  }
  assert.fail('connected');
}

/** Resolves with the next status of this kind (or the present one). */
export function statusOf<K extends AgentStatus['kind']>(
  host: AgentSupervisor,
  kind: K,
): Promise<Extract<AgentStatus, { kind: K }>> {
  return new Promise(resolve => {
    const take = (status: AgentStatus) => {
      if (status.kind === kind) resolve(status as Extract<AgentStatus, { kind: K }>);
    };
    take(host.status);
    host.onDidChangeStatus(take);
  });
}

/** A chat that collects what it is told. */
export class Chat implements SessionClient {
  readonly updates: schema.SessionUpdate[] = [];
  private readonly waiting: { readonly count: number; resolve(): void }[] = [];

  static async open(link: AgentLink): Promise<{ chat: Chat; sessionId: string }> {
    const { sessionId } = await link.newSession({ cwd: tmpdir(), mcpServers: [] });
    const chat = new Chat();
    link.attach(sessionId, chat);
    return { chat, sessionId };
  }

  /** The text of the agent's messages. */
  get text(): string {
    return this.updates
      .map(update =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
          ? update.content.text
          : '',
      )
      .join('');
  }

  /** Resolves when so many updates have come. */
  received(count: number): Promise<void> {
    return new Promise(resolve => {
      if (this.updates.length >= count) resolve();
      else this.waiting.push({ count, resolve });
    });
  }

  update(update: schema.SessionUpdate): void {
    this.updates.push(update);
    for (const { count, resolve } of this.waiting) if (this.updates.length >= count) resolve();
  }

  slowed(): void {}

  requestPermission(
    params: schema.RequestPermissionRequest,
  ): Promise<schema.RequestPermissionResponse> {
    const optionId = params.options[0]?.optionId ?? '';
    return Promise.resolve({ outcome: { outcome: 'selected', optionId } });
  }

  readTextFile(): Promise<schema.ReadTextFileResponse> {
    return Promise.resolve({ content: 'content' });
  }

  writeTextFile(): Promise<schema.WriteTextFileResponse> {
    return Promise.resolve({});
  }

  createTerminal(): Promise<schema.CreateTerminalResponse> {
    return Promise.resolve({ terminalId: 'terminal' });
  }

  terminalOutput(): Promise<schema.TerminalOutputResponse> {
    return Promise.resolve({ output: '', truncated: false });
  }

  waitForTerminalExit(): Promise<schema.WaitForTerminalExitResponse> {
    return Promise.resolve({ exitCode: 0 });
  }

  killTerminal(): Promise<schema.KillTerminalResponse> {
    return Promise.resolve({});
  }

  releaseTerminal(): Promise<schema.ReleaseTerminalResponse> {
    return Promise.resolve({});
  }

  createElicitation(): Promise<schema.CreateElicitationResponse> {
    return Promise.resolve({ action: 'decline' });
  }

  completeElicitation(): void {}
}

/** A prompt of one text. */
export function prompt(sessionId: string, text: string): schema.PromptRequest {
  return { sessionId, prompt: [{ type: 'text', text }] };
}
