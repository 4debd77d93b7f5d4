import type { Disposable } from '../base/lifecycle';
import type { Chat, Chats } from '../session/chats';
import type { Environment } from '../session/ports';
import type { AgentChildren } from './process/agentChildren';
import { commandOf, isRunning, type LeftProgram } from './process/leftPrograms';
import { nameOf } from './process/processMark';
import type { ProcessEntry } from './process/processTable';

export interface StoppedTurnsParts {
  readonly children: Pick<AgentChildren, 'entries'>;
  readonly environment: Pick<Environment, 'after'>;
  /** The user says what becomes of them. */
  ask(agent: string, programs: readonly LeftProgram[]): void;
}

/** So long may what was stopped take to end, in milliseconds. */
const END_MS = 1_500;

interface RunningTurn {
  readonly agent: string;
  /** What the agent ran when it began, by name. */
  readonly before: ReadonlySet<string>;
}

/**
 * Agents end their commands when a turn is stopped; some do not, and they run on as long as the agent does. What began in
 * a stopped turn and still runs is the user's to end or to leave. Known on Linux alone.
 */
export class StoppedTurns implements Disposable {
  private readonly running = new Map<Chat, RunningTurn>();
  private readonly waits = new Set<Disposable>();

  constructor(private readonly parts: StoppedTurnsParts) {}

  /** Listens to the chats from now on. */
  follow(chats: Pick<Chats, 'onDidAdd'>): Disposable {
    return chats.onDidAdd(chat =>
      chat.store.onDidApply(({ action }) => {
        if (action.type === 'turnStarted') this.began(chat);
        if (action.type === 'turnEnded') this.ended(chat, action.end.reason === 'cancelled');
      }),
    );
  }

  dispose(): void {
    for (const wait of this.waits) wait.dispose();
  }

  private began(chat: Chat): void {
    if (process.platform !== 'linux') return;
    const agent = chat.store.state.agent.name;
    const before = new Set(this.parts.children.entries(agent)?.map(nameOf));
    this.running.set(chat, { agent, before });
  }

  private ended(chat: Chat, isStopped: boolean): void {
    const turn = this.running.get(chat);
    this.running.delete(chat);
    if (!turn || !isStopped) return;
    const now = this.parts.children.entries(turn.agent) ?? [];
    const others = [...this.running.values()].filter(({ agent }) => agent === turn.agent);
    const begun = now.filter(entry => !turn.before.has(nameOf(entry)));
    this.lookLater(turn.agent, begun, others);
  }

  /** @param others turns that may have begun them as well: they are not stopped */
  private lookLater(
    agent: string,
    begun: readonly ProcessEntry[],
    others: readonly RunningTurn[],
  ): void {
    const left = begun.filter(isRunning);
    if (left.length === 0) return;
    const wait = this.parts.environment.after(END_MS, () => {
      this.waits.delete(wait);
      const running = [...this.running.values()];
      if (others.some(turn => running.includes(turn))) this.lookLater(agent, left, others);
      else this.ask(agent, left.filter(isRunning));
    });
    this.waits.add(wait);
  }

  private ask(agent: string, left: readonly ProcessEntry[]): void {
    const pids = new Set(left.map(({ pid }) => pid));
    const roots = left.filter(({ parent }) => !pids.has(parent));
    if (roots.length === 0) return;
    const programs = roots.map(entry => ({ process: entry, command: commandOf(entry.pid) }));
    this.parts.ask(agent, programs);
  }
}
