import type { TurnRef } from '../model';
import type { AgentProcesses } from './agentProcesses';
import { TurnRegistry, type OpenTurn } from './turnRegistry';
import type { WorkspaceGit } from './workspaceGit';

export interface CheckpointParts {
  readonly git: Pick<WorkspaceGit, 'begin' | 'refreshNow'>;
  readonly processes: AgentProcesses;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Looks at the workspace as a whole: what differs by now is of the turns that are open. */
  lookAround(): Promise<void>;
}

/** How often the process table is asked whether what a turn left running has ended, in milliseconds. */
const POLL_MS = 2_000;
/** Terminals run on when the prompt is answered; tool calls do not. */
const TERMINAL = 'terminal:';

/**
 * Opens a checkpoint with each turn, and closes it when the turn has ended, with it all that the turn has started,
 * and the workspace was looked at after that.
 */
export class Checkpoints {
  readonly turns = new TurnRegistry();
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(private readonly parts: CheckpointParts) {}

  async open(ref: TurnRef, agent: string): Promise<void> {
    const { git, processes } = this.parts;
    const { heads, step: gitStep } = await git.begin();
    const running = processes.children(agent);
    const startedAt = this.parts.now();
    this.turns.open({ ref, agent, startedAt, heads, gitStep, processes: running });
  }

  /** The prompt is answered. */
  async end(ref: TurnRef): Promise<void> {
    const turn = this.turns.get(ref);
    if (!turn || turn.hasEnded) return;
    turn.hasEnded = true;
    const calls = [...turn.commands].filter(id => !id.startsWith(TERMINAL));
    if (calls.length > 0) await this.parts.lookAround();
    for (const id of calls) turn.commands.delete(id);
    await this.closeIfDone(turn);
  }

  /** A tool call or a terminal runs that may change any file. */
  began(ref: TurnRef, id: string): void {
    const turn = this.turns.get(ref);
    if (!turn || turn.commands.has(id)) return;
    // Where HEAD is by now is not this command's doing.
    if (!this.turns.isWorking) this.parts.git.refreshNow();
    turn.commands.add(id);
  }

  /** What it changed until now is its; events of that may still be on their way. */
  async ended(ref: TurnRef, id: string): Promise<void> {
    const turn = this.turns.get(ref);
    if (!turn?.commands.has(id)) return;
    await this.parts.lookAround();
    turn.commands.delete(id);
    await this.closeIfDone(turn);
  }

  terminalBegan(ref: TurnRef, id: string): void {
    this.began(ref, TERMINAL + id);
  }

  /** Also one of an earlier turn. */
  async terminalEnded(chatId: string, id: string): Promise<void> {
    for (const { ref } of this.turns.all) {
      if (ref.chatId === chatId) await this.ended(ref, TERMINAL + id);
    }
  }

  /** The user says that nothing of what is nobody's for certain is an agent's: what has ended, has ended. */
  closeEnded(): void {
    for (const turn of this.turns.all) if (turn.hasEnded) this.turns.close(turn);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
  }

  private async closeIfDone(turn: OpenTurn): Promise<void> {
    if (!turn.hasEnded || turn.commands.size > 0) return;
    if (this.hasChildren(turn)) {
      if (!this.isDisposed) this.timer ??= setTimeout(() => void this.poll(), POLL_MS);
      return;
    }
    // Asked first, looked then: what the last of them did is seen.
    await this.parts.lookAround();
    if (turn.commands.size === 0) this.turns.close(turn);
  }

  /** Closes what is done by now. */
  async poll(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const turn of this.turns.all) await this.closeIfDone(turn);
  }

  private hasChildren({ agent, processes }: OpenTurn): boolean {
    return [...this.parts.processes.children(agent)].some(child => !processes.has(child));
  }
}
