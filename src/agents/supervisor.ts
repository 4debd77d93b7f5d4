import { setTimeout } from 'node:timers/promises';
import { Emitter, type Event } from '../base/event';
import { orAborted } from '../base/orAborted';
import {
  AgentError,
  type Agent,
  type AgentLink,
  type AgentStatus,
  type Lease,
  type LeaseUse,
} from '../session/ports';
import type { AuthMethod, Problem } from '../session/state/state';
import type { Account, BackendHost, RunningAgent } from './backend';
import { startAgent } from './backends/backends';
import { describeAgent, isProgram, type AgentDefinition, type UsableAgent } from './definitions';
import { IdleWatch } from './idleWatch';
import * as problems from './problems';
import { PROGRAM_RESTARTS, RestartPolicy, SERVER_RESTARTS } from './restartPolicy';

export interface AgentSupervisorOptions extends BackendHost {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** After how many minutes an agent is let go that nobody asks anything; never by default, and with 0. */
  readonly idleMinutes?: () => number;
  /** Names of the living processes below the agent of that name; undefined where they cannot be known. */
  readonly children?: (agent: string) => ReadonlySet<string> | undefined;
}

/** One start, shared by all who wait for it. */
interface Attempt {
  readonly link: Promise<AgentLink>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * One configured agent: stopped → starting → ready → stopped, resting or failed. All chats with it share what runs.
 * How it runs and what it speaks is its backend's.
 */
export class AgentSupervisor implements Agent {
  readonly name: string;
  private readonly statusChanged = new Emitter<AgentStatus>();
  readonly onDidChangeStatus: Event<AgentStatus> = this.statusChanged.event;
  private current: AgentStatus = { kind: 'stopped' };
  private attempt: Attempt | undefined;
  private running: RunningAgent | undefined;
  /** Settles when the last start has come to its end, whichever. Never rejects. */
  private settled: Promise<unknown> = Promise.resolve();
  /** Settles when nothing is left of earlier starts. Never rejects. */
  private ending: Promise<unknown> = Promise.resolve();
  private readonly restarts = new RestartPolicy();
  /** The crash that the next start is a restart after. */
  private crash: Problem | undefined;
  /** After "command not found", the user may have installed it and so changed the PATH. */
  private mayHaveBeenInstalled = false;
  private readonly leases = new Set<{ use: LeaseUse }>();
  private readonly idle: IdleWatch;
  /** Of the last start. */
  private account: Account | undefined;

  constructor(
    private definition: AgentDefinition,
    private readonly options: AgentSupervisorOptions,
  ) {
    this.name = definition.name;
    this.idle = new IdleWatch({
      minutes: () => options.idleMinutes?.() ?? 0,
      // What an agent runs elsewhere cannot be known.
      children: () => (isProgram(this.definition) ? options.children?.(this.name) : undefined),
      letGo: () => this.letGo(),
    });
  }

  get status(): AgentStatus {
    return this.current;
  }

  /** The user has changed the configuration: the next start follows it. */
  redefine(definition: AgentDefinition): void {
    this.definition = definition;
  }

  async connect(signal?: AbortSignal): Promise<AgentLink> {
    signal?.throwIfAborted();
    if (this.running) return this.running.link;
    const attempt = (this.attempt ??= this.begin());
    attempt.waiting += 1;
    try {
      return await orAborted(attempt.link, signal);
    } finally {
      attempt.waiting -= 1;
      // The last one who waited has lost interest.
      if (attempt.waiting === 0 && this.attempt === attempt) this.giveUp(attempt);
    }
  }

  lease(): Lease {
    const held: { use: LeaseUse } = { use: 'else' };
    this.leases.add(held);
    this.watchIdle();
    return {
      use: use => {
        if (held.use === use) return this.idle.stir();
        held.use = use;
        if (use === 'turn') this.idle.workBegins();
        this.watchIdle();
      },
      dispose: () => {
        if (!this.leases.delete(held)) return;
        if (this.leases.size === 0) this.halt();
        else this.watchIdle();
      },
    };
  }

  /** A person's stop: what comes next is a new beginning, whatever crashed before. */
  async stop(): Promise<void> {
    this.restarts.reset();
    this.crash = undefined;
    this.halt();
    const { kind } = this.current;
    if (kind === 'failed' || kind === 'resting') this.setStatus({ kind: 'stopped' });
    await this.settled;
    await this.ending;
  }

  authMethods(): readonly AuthMethod[] {
    return this.account?.methods ?? [];
  }

  async signIn(methodId: string, signal: AbortSignal): Promise<boolean> {
    // An agent says only when it has started how to sign in to it.
    if (!this.account) await this.connect(signal);
    const result = await this.account?.signIn(methodId, () => this.connect(signal), signal);
    if (result === 'restart') await this.stop();
    return result !== undefined;
  }

  async signOut(): Promise<void> {
    await this.options.secrets?.forget(this.name);
    try {
      if (this.account?.signsOut) await this.logOut();
    } finally {
      // Whatever it answered, or did not: nothing goes on with what was signed in with.
      await this.stop();
    }
  }

  private async logOut(): Promise<void> {
    const held = this.lease();
    try {
      await (await this.connect()).logout();
    } finally {
      held.dispose();
    }
  }

  /** Ends what runs or starts. A failure stays to be seen. */
  private halt(): void {
    const { attempt, running } = this;
    const reason = new AgentError(problems.stopped(this.name));
    if (attempt) this.giveUp(attempt, reason);
    if (running) {
      this.release(running, reason);
      this.setStatus({ kind: 'stopped' });
    }
  }

  private watchIdle(): void {
    const isIdle = this.running && [...this.leases].every(({ use }) => use === 'nothing');
    if (isIdle) this.idle.start();
    else this.idle.stop();
  }

  /** It comes back when it is needed. */
  private letGo(): void {
    const { running } = this;
    if (!running) return;
    this.options.logger.info(`${this.name} is let go: nothing was asked of it for a while`);
    this.release(running, new AgentError(problems.stopped(this.name)));
    this.setStatus({ kind: 'resting' });
  }

  private giveUp(attempt: Attempt, reason?: AgentError): void {
    this.attempt = undefined;
    attempt.abort.abort(reason);
  }

  private begin(): Attempt {
    const abort = new AbortController();
    const attempt: Attempt = { link: this.start(this.settled, abort.signal), abort, waiting: 0 };
    // Everyone who waited may be gone when it fails; the status says so.
    this.settled = attempt.link.catch(() => undefined);
    return attempt;
  }

  /** @param previous the start before this one, which may have been given up but not have ended yet. */
  private async start(previous: Promise<unknown>, signal: AbortSignal): Promise<AgentLink> {
    try {
      await previous;
      await this.ending;
      signal.throwIfAborted();
      const { definition, options } = this;
      if (definition.kind === 'unusable') throw new AgentError(definition.problem);
      const startedAt = options.now();
      this.setStatus({
        kind: 'starting',
        step: 'process',
        command: describeAgent(definition),
        startedAt,
        stepStartedAt: startedAt,
      });
      const running = await this.startUntilThere(definition, startedAt, signal);
      if (signal.aborted) {
        this.ending = running.stop(new AgentError(problems.stopped(this.name)));
        signal.throwIfAborted();
      }
      this.attempt = undefined;
      this.adopt(running);
      return running.link;
    } catch (error) {
      // A start that was given up is not the present one any more.
      if (!signal.aborted) this.attempt = undefined;
      throw this.startFailed(error, signal);
    }
  }

  /** After a lost connection once more, each time later, for as long as what is in the way may pass. */
  private async startUntilThere(
    definition: UsableAgent,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<RunningAgent> {
    const { options } = this;
    const start = {
      host: options,
      isFresh: this.mayHaveBeenInstalled,
      onInitialize: (command: string, timeoutSeconds: number) =>
        this.setStatus({
          kind: 'starting',
          step: 'initialize',
          command: options.mask?.(command) ?? command,
          startedAt,
          stepStartedAt: options.now(),
          timeoutSeconds,
        }),
      onStopping: (stopped: Promise<void>) => void (this.ending = stopped),
    };
    let failure: AgentError | undefined;
    for (;;) {
      await this.waitToRestart(definition, failure, signal);
      try {
        return await startAgent(definition, start, signal);
      } catch (error) {
        const mayPass = error instanceof AgentError && error.problem.mayPass === true;
        if (!this.crash || !mayPass || signal.aborted) throw error;
        failure = error;
        options.logger.warn(`${failure.problem.title}. ${failure.problem.detail}`);
      }
    }
  }

  /**
   * The longer, the more often it was started again after what has crashed.
   * @param failure of the start before, when it has to do with the same crash
   * @throws AgentError when that was too often
   */
  private async waitToRestart(
    { kind }: UsableAgent,
    failure: AgentError | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { crash } = this;
    if (!crash) return;
    const isServer = kind === 'remote';
    const rule = isServer ? SERVER_RESTARTS : PROGRAM_RESTARTS;
    const decision = this.restarts.decide(this.options.now(), rule);
    if (decision.kind === 'restart') {
      if (decision.delayMs > 0) await setTimeout(decision.delayMs, undefined, { signal });
      return;
    }
    if (!isServer) throw new AgentError(problems.crashedTooOften(this.name, crash));
    // Retry begins with the first delay again.
    this.restarts.reset();
    this.crash = undefined;
    throw failure ?? new AgentError(crash);
  }

  private adopt(running: RunningAgent): void {
    this.running = running;
    this.crash = undefined;
    this.mayHaveBeenInstalled = false;
    this.account = running.account;
    void running.closed.then(problem => this.lose(running, problem));
    this.setStatus({ kind: 'ready', link: running.link });
    this.watchIdle();
  }

  private lose(running: RunningAgent, cause: Problem): void {
    if (this.running !== running) return;
    const problem = this.masked(cause);
    this.options.logger.error(`${problem.title}. ${problem.detail}`);
    this.crash = problem;
    this.release(running, new AgentError(problem));
    this.setStatus({ kind: 'failed', problem });
  }

  private release(running: RunningAgent, reason: AgentError): void {
    this.running = undefined;
    this.idle.reset();
    this.ending = running.stop(reason);
  }

  /** Sets the status after a failed start; returns what those who wait get. */
  private startFailed(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) {
      this.setStatus({ kind: 'stopped' });
      return signal.reason;
    }
    const { problem } =
      error instanceof AgentError
        ? error
        : new AgentError(problems.startFailed(this.name, String(error)));
    const failure = new AgentError(this.masked(problem), { cause: error });
    const { kind, title, detail, output } = failure.problem;
    this.mayHaveBeenInstalled = kind === 'commandNotFound';
    this.options.logger.error(
      [`${title}. ${detail}`, ...output].join('\n'),
      error instanceof AgentError ? error.cause : error,
    );
    this.setStatus({ kind: 'failed', problem: failure.problem });
    return failure;
  }

  /** A card is photographed and handed on. */
  private masked(problem: Problem): Problem {
    const { mask } = this.options;
    if (!mask) return problem;
    const { title, detail, output } = problem;
    return { ...problem, title: mask(title), detail: mask(detail), output: output.map(mask) };
  }

  private setStatus(status: AgentStatus): void {
    this.current = status;
    this.statusChanged.fire(status);
  }
}
