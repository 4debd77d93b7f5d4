import type * as schema from '../../acp/schema/schema';
import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import {
  TerminalError,
  type Environment,
  type TerminalMirror,
  type TerminalProcess,
  type Terminals,
} from '../ports';
import type { SessionStore } from '../state/store';

interface OpenTerminal {
  readonly process: TerminalProcess;
  readonly resources: DisposableStore;
  /** The turn it was started in: Stop ends what the turn began, not what runs since earlier. */
  readonly turnId: string | undefined;
}

/** Commands of one session that run at once. */
const MAX_RUNNING = 64;
/** Commands that have ended and are not released, whose output can still be asked for. */
const MAX_ENDED = 128;

/** The commands one session runs: ACP's `terminal/*` on real processes, shown in the chat as they go. */
export class SessionTerminals implements Disposable {
  private readonly open = new Map<string, OpenTerminal>();
  private starting = 0;
  /** Counts the ends of everything, to notice one that came while a command was being started. */
  private epoch = 0;

  constructor(
    private readonly store: SessionStore,
    private readonly terminals: Terminals,
    private readonly mirror: TerminalMirror,
    private readonly environment: Environment,
  ) {}

  async create(
    params: schema.CreateTerminalRequest,
    cwd: string,
  ): Promise<schema.CreateTerminalResponse> {
    const { store, environment, epoch } = this;
    const turnId = store.state.activeTurn?.id;
    this.admit();
    this.starting += 1;
    const process = await this.start(params, cwd).finally(() => (this.starting -= 1));
    // Starting takes a moment: Stop, or the end of the chat, may have come in between.
    const { cancelling, activeTurn } = store.state;
    if (epoch !== this.epoch || cancelling || activeTurn?.id !== turnId) {
      process.dispose();
      throw new RequestError(ErrorCode.requestCancelled, 'The turn has ended');
    }
    const terminalId = environment.newId();
    const resources = new DisposableStore();
    store.dispatch({
      type: 'terminalStarted',
      terminalId,
      command: process.commandLine,
      cwd: params.cwd ?? cwd,
      owned: true,
      ...(process.view && { takesInput: true as const }),
      at: environment.now(),
    });
    resources.add(
      process.onOutput(output =>
        store.dispatch({ type: 'terminalOutput', terminalId, ...output, at: environment.now() }),
      ),
    );
    resources.add(this.mirror.attach(terminalId, process.commandLine, process));
    void process.exited.then(exit =>
      store.dispatch({ type: 'terminalExited', terminalId, exit, at: environment.now() }),
    );
    this.open.set(terminalId, { process, resources, turnId });
    return { terminalId };
  }

  output(terminalId: string): schema.TerminalOutputResponse {
    const { output, truncated, exit } = this.find(terminalId).process.snapshot();
    return { output, truncated, ...(exit && { exitStatus: exit }) };
  }

  /** @throws RequestError when the agent takes its request back. */
  async waitForExit(
    terminalId: string,
    signal: AbortSignal,
  ): Promise<schema.WaitForTerminalExitResponse> {
    const { process } = this.find(terminalId);
    return Promise.race([process.exited, cancelled(signal)]);
  }

  async kill(terminalId: string): Promise<void> {
    await this.find(terminalId).process.kill();
  }

  /** Kills the command if it runs; its card keeps the output. */
  async release(terminalId: string): Promise<void> {
    const { process, resources } = this.find(terminalId);
    this.open.delete(terminalId);
    await process.kill();
    // The listener above reports the exit; the rest of the output has been read by then.
    await process.exited;
    resources.dispose();
    process.dispose();
  }

  /** Ends the commands that the turn started: the user pressed Stop. */
  killTurn(turnId: string): void {
    for (const terminal of this.open.values()) {
      if (terminal.turnId === turnId) void terminal.process.kill();
    }
  }

  dispose(): void {
    this.epoch += 1;
    for (const { process, resources } of this.open.values()) {
      resources.dispose();
      process.dispose();
    }
    this.open.clear();
  }

  /** @throws RequestError when too many run; of those that have ended the oldest make room. */
  private admit(): void {
    const all = [...this.open];
    const ended = all.filter(([, { process }]) => process.snapshot().exit);
    if (this.starting + all.length - ended.length >= MAX_RUNNING) {
      throw new RequestError(
        ErrorCode.internal,
        `Too many commands at once: ${MAX_RUNNING} of this session are running. Wait for one to end, or kill it`,
      );
    }
    for (const [id, { process, resources }] of ended.slice(
      0,
      Math.max(0, ended.length - MAX_ENDED),
    )) {
      this.open.delete(id);
      resources.dispose();
      process.dispose();
    }
  }

  private async start(params: schema.CreateTerminalRequest, cwd: string): Promise<TerminalProcess> {
    try {
      return await this.terminals.create({
        command: params.command,
        args: params.args ?? [],
        env: Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value])),
        cwd: params.cwd ?? cwd,
        ...(typeof params.outputByteLimit === 'number' && {
          outputByteLimit: params.outputByteLimit,
        }),
      });
    } catch (error) {
      if (error instanceof TerminalError) {
        throw new RequestError(ErrorCode.invalidParams, error.message);
      }
      throw error;
    }
  }

  private find(terminalId: string): OpenTerminal {
    const terminal = this.open.get(terminalId);
    if (terminal) return terminal;
    throw new RequestError(ErrorCode.resourceNotFound, `Unknown terminal: ${terminalId}`);
  }
}

function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => reject(new RequestError(ErrorCode.requestCancelled, 'Request cancelled'));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}
