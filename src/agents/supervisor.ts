import { setTimeout } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { Emitter, type Event } from '../base/event';
import { toDisposable, type Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import { orAborted } from '../base/orAborted';
import type { TrafficTap } from '../acp/transport/transport';
import type * as schema from '../acp/schema/schema';
import { AgentError, type Agent, type AgentLink, type AgentStatus } from '../session/ports';
import type { AuthMethod, Problem } from '../session/state/state';
import { limitsOf, type AgentLimitSettings } from './backends/acp/agentLimits';
import type { AgentProcess, LaunchSpec } from './process/agentProcess';
import type { RunningAgent } from './backends/acp/agentStart';
import { shownMethod, signInMethods } from './backends/acp/authMethods';
import { agentMark } from './process/agentChildren';
import { formatCommandLine } from './process/commandLine';
import type { AgentDefinition } from './definitions';
import { mergeEnv, withoutEditorVariables, type Env } from './process/environmentVariables';
import * as problems from './problems';
import type { ProcessTracker } from './process/processTracker';
import { RestartPolicy } from './restartPolicy';
import type { AgentSecrets, SignInPrompts } from './signIn';
import { referencedSecrets } from './variables';
import { EXIT_AFTER_CLOSE_MS, TIMED_OUT, within } from './within';

export interface AgentSupervisorOptions {
  readonly logger: Logger;
  readonly processes: ProcessTracker;
  /** The login shell's environment; `fresh` asks the shell again. */
  readonly environment: { get(fresh?: boolean): Promise<Env> };
  /** Read whenever one is needed: what the user changes counts at once. */
  readonly settings: () => AgentLimitSettings;
  /** Absolute path of the first workspace folder, if one is open. Read at each start. */
  readonly workspaceFolder: () => string | undefined;
  /** Parley's own version. */
  readonly clientVersion: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Sees the traffic with the agent, unmasked. */
  readonly tap?: TrafficTap;
  /** Told the values of variables at each start, for the logs to mask. */
  readonly onSecrets?: (values: readonly string[]) => void;
  /** Without them only methods that the agent carries out itself work. */
  readonly signIn?: SignInPrompts;
  readonly secrets?: AgentSecrets;
  /** Sees each line of the agent's stderr. By default they go to the logger. */
  readonly onStderr?: (line: string) => void;
}

/** One start, shared by all who wait for it. */
interface Attempt {
  readonly link: Promise<AgentLink>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * One configured agent and its process: stopped → starting → ready → stopped or failed. All chats with
 * the agent share the process.
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
  /** Settles when nothing is left of earlier processes. Never rejects. */
  private ending: Promise<unknown> = Promise.resolve();
  private readonly restarts = new RestartPolicy();
  /** The crash that the next start is a restart after. */
  private crash: Problem | undefined;
  /** After "command not found", the user may have installed it and so changed the PATH. */
  private mayHaveBeenInstalled = false;
  private leases = 0;
  private initialized: schema.InitializeResponse | undefined;

  constructor(
    private definition: AgentDefinition,
    private readonly options: AgentSupervisorOptions,
  ) {
    this.name = definition.name;
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

  lease(): Disposable {
    this.leases += 1;
    return toDisposable(() => {
      this.leases -= 1;
      if (this.leases === 0) this.halt();
    });
  }

  /** A person's stop: what comes next is a new beginning, whatever crashed before. */
  async stop(): Promise<void> {
    this.restarts.reset();
    this.crash = undefined;
    this.halt();
    if (this.current.kind === 'failed') this.setStatus({ kind: 'stopped' });
    await this.settled;
    await this.ending;
  }

  authMethods(): readonly AuthMethod[] {
    return signInMethods(this.initialized).map(shownMethod);
  }

  async signIn(methodId: string, signal: AbortSignal): Promise<boolean> {
    const method = signInMethods(this.initialized).find(({ id }) => id === methodId);
    const { signIn, secrets } = this.options;
    switch (method?.type) {
      case 'terminal': {
        if (!signIn) throw new Error(l10n.t('There is no terminal to sign in with.'));
        const { signInCommand } = await import('./signIn');
        const command = await signInCommand(method, await this.plan(signal));
        const code = await signIn.runInTerminal(method.name, command, signal);
        if (code === undefined || signal.aborted) return false;
        if (code !== 0) {
          throw new Error(
            l10n.t('Signing in ended with exit code {0}. Try again, or sign in another way.', code),
          );
        }
        break;
      }
      case 'env_var': {
        const variables = await signIn?.askVariables(this.name, method, signal);
        if (!variables || signal.aborted) return false;
        this.options.onSecrets?.(Object.values(variables));
        await secrets?.add(this.name, variables);
        break;
      }
      default: {
        const link = await this.connect(signal);
        await link.authenticate({ methodId }, signal);
        return true;
      }
    }
    // Only a new process has what was signed in with.
    await this.stop();
    return true;
  }

  async signOut(): Promise<void> {
    await this.options.secrets?.forget(this.name);
    try {
      if (this.initialized?.agentCapabilities?.auth?.logout) await this.tellSignedOut();
    } finally {
      // Whatever it answered, or did not: nothing goes on with what was signed in with.
      await this.stop();
    }
  }

  private async tellSignedOut(): Promise<void> {
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

  private giveUp(attempt: Attempt, reason?: AgentError): void {
    this.attempt = undefined;
    attempt.abort.abort(reason);
  }

  private begin(): Attempt {
    const abort = new AbortController();
    const attempt: Attempt = { link: this.start(this.settled, abort.signal), abort, waiting: 0 };
    // Everyone who waited may be gone when it fails; the status tells.
    this.settled = attempt.link.catch(() => undefined);
    return attempt;
  }

  /** @param previous the start before this one, which may have been given up but not have ended yet. */
  private async start(previous: Promise<unknown>, signal: AbortSignal): Promise<AgentLink> {
    let spawned: AgentProcess | undefined;
    try {
      await previous;
      await this.ending;
      signal.throwIfAborted();
      const startedAt = this.options.now();
      const wait = this.restartDelay(startedAt);
      this.setStarting('process', this.definition, startedAt);
      if (wait > 0) await setTimeout(wait, undefined, { signal });
      // The wire and what it needs: half of the host's code, of no use before an agent starts. Meanwhile the
      // shell is asked, which takes longer.
      const [spec, { startAgent }] = await Promise.all([
        this.plan(signal),
        import('./backends/acp/agentStart'),
      ]);
      const limits = () => limitsOf(this.options.settings());
      const running = await startAgent(
        spec,
        {
          agentName: this.name,
          logger: this.options.logger,
          processes: this.options.processes,
          clientVersion: this.options.clientVersion,
          tap: this.options.tap,
          limits,
          onStderr: line => this.stderr(line),
          onSpawned: process => {
            spawned = process;
            this.setStarting('initialize', spec, startedAt, limits().initializeSeconds);
          },
        },
        signal,
      );
      signal.throwIfAborted();
      this.attempt = undefined;
      this.adopt(running);
      return running.link;
    } catch (error) {
      // A start that was given up is not the present one any more.
      if (!signal.aborted) this.attempt = undefined;
      if (spawned) this.ending = spawned.stop();
      throw this.startFailed(error, signal);
    }
  }

  /** Milliseconds to wait before a restart after a crash. @throws AgentError when it crashed too often. */
  private restartDelay(now: number): number {
    if (!this.crash) return 0;
    const decision = this.restarts.decide(now);
    switch (decision.kind) {
      case 'restart':
        return decision.delayMs;
      case 'giveUp':
        throw new AgentError(problems.crashedTooOften(this.name, this.crash));
    }
  }

  private async plan(signal: AbortSignal): Promise<LaunchSpec> {
    const { definition, options } = this;
    const env =
      definition.environment === 'editor'
        ? withoutEditorVariables(process.env)
        : await orAborted(options.environment.get(this.mayHaveBeenInstalled), signal);
    const texts = [definition.command, ...definition.args, ...Object.values(definition.env)];
    options.onSecrets?.(referencedSecrets(texts, env));
    const { planLaunch } = await import('./process/launch');
    const plan = await orAborted(planLaunch(definition, env, options.workspaceFolder()), signal);
    if (plan.kind === 'spec') {
      const secrets = (await options.secrets?.get(definition.name)) ?? {};
      options.onSecrets?.(Object.values(secrets));
      return {
        ...plan.spec,
        env: { ...mergeEnv(plan.spec.env, secrets), ...agentMark(this.name) },
      };
    }
    this.mayHaveBeenInstalled = plan.problem.kind === 'commandNotFound';
    if (plan.searched) {
      options.logger.info(`"${definition.command}" is not in any of:\n${plan.searched.join('\n')}`);
    }
    throw new AgentError(plan.problem);
  }

  private adopt(running: RunningAgent): void {
    this.running = running;
    this.crash = undefined;
    this.mayHaveBeenInstalled = false;
    this.initialized = running.link.initialized;
    const { process, connection, closed } = running;
    void process.drained.then(async exit => {
      // What it said last, which may be its answer, comes first.
      await within(closed, EXIT_AFTER_CLOSE_MS);
      this.lose(running, problems.crashed(this.name, exit, running.output()));
    });
    void closed.then(async () => {
      const { closeReason } = connection;
      // Unless we broke it, the process has most likely ended: its exit says more.
      const waited =
        closeReason === undefined ? await within(process.drained, EXIT_AFTER_CLOSE_MS) : TIMED_OUT;
      if (waited !== TIMED_OUT) return;
      this.lose(running, problems.disconnected(this.name, closeReason, running.output()));
    });
    this.setStatus({ kind: 'ready', link: running.link });
  }

  private lose(running: RunningAgent, problem: Problem): void {
    if (this.running !== running) return;
    this.options.logger.error(`${problem.title}. ${problem.detail}`);
    this.crash = problem;
    this.release(running, new AgentError(problem));
    this.setStatus({ kind: 'failed', problem });
  }

  private release(running: RunningAgent, reason: AgentError): void {
    this.running = undefined;
    running.link.end(reason);
    running.connection.dispose();
    this.ending = running.process.stop();
  }

  /** Sets the status after a failed start; returns what those who wait are told. */
  private startFailed(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) {
      this.setStatus({ kind: 'stopped' });
      return signal.reason;
    }
    const failure =
      error instanceof AgentError
        ? error
        : new AgentError(problems.spawnFailed(this.name, this.definition.command, String(error)), {
            cause: error,
          });
    const { title, detail, output } = failure.problem;
    this.options.logger.error(
      [`${title}. ${detail}`, ...output].join('\n'),
      failure === error ? undefined : error,
    );
    this.setStatus({ kind: 'failed', problem: failure.problem });
    return failure;
  }

  private stderr(line: string): void {
    if (this.options.onStderr) this.options.onStderr(line);
    else this.options.logger.info(`[${this.name}] ${line}`);
  }

  private setStarting(
    step: 'process' | 'initialize',
    launch: Pick<LaunchSpec, 'command' | 'args'>,
    startedAt: number,
    timeoutSeconds?: number,
  ): void {
    this.setStatus({
      kind: 'starting',
      step,
      command: formatCommandLine(launch.command, launch.args),
      startedAt,
      stepStartedAt: this.options.now(),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    });
  }

  private setStatus(status: AgentStatus): void {
    this.current = status;
    this.statusChanged.fire(status);
  }
}
