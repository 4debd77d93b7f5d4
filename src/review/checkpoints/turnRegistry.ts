import type { Author, TurnRef } from '../model';
import type { Heads } from './baselines';
import { changedAt, CLOCK_SLACK_MS, type DiskFile } from './diskFile';
import type { SnippetDiff } from './reverseDiff';

/** A turn whose checkpoint is open: what differs from it is of this turn, unless facts say otherwise. */
export interface OpenTurn {
  readonly ref: TurnRef;
  /** Name of its agent. */
  readonly agent: string;
  /** Milliseconds since the epoch: `mayBeOfTurn` alone may ask. */
  readonly startedAt: number;
  /** Where HEAD was when it began. */
  readonly heads: Heads;
  /** Orders it and what git does: see `GitStart`. */
  readonly gitStep: number;
  /** Processes of the agent that ran before it began. */
  readonly processes: ReadonlySet<string>;
  /** Files (canonical) that its tool calls and requests named, also to read them only. */
  readonly named: Set<string>;
  /** Those of them that a tool call may have changed. */
  readonly claimed: Set<string>;
  /** Those that its tool calls say they have changed, as the agent gave them. */
  readonly reported: Set<string>;
  /** What its tool calls say they change, by file (canonical). */
  readonly diffs: Map<string, readonly SnippetDiff[]>;
  /** Tool calls and terminals that run and may change any file. */
  readonly commands: Set<string>;
  /** The prompt is answered; commands and background processes may still run. */
  hasEnded: boolean;
}

/** The turns that a change is of: one that says so, or all that were open. */
export interface Origin {
  readonly turns: readonly [OpenTurn, ...OpenTurn[]];
  readonly isClaimed: boolean;
}

/** The open checkpoints. */
export class TurnRegistry {
  private turns: readonly OpenTurn[] = [];

  open(
    turn: Pick<OpenTurn, 'ref' | 'agent' | 'startedAt' | 'heads' | 'gitStep' | 'processes'>,
  ): void {
    const sets = {
      named: new Set<string>(),
      claimed: new Set<string>(),
      reported: new Set<string>(),
    };
    const nothing = { ...sets, diffs: new Map(), commands: new Set<string>() };
    this.turns = [...this.turns, { ...turn, ...nothing, hasEnded: false }];
  }

  close(turn: OpenTurn): void {
    this.turns = this.turns.filter(other => other !== turn);
  }

  get({ chatId, turnId }: TurnRef): OpenTurn | undefined {
    return this.turns.find(({ ref }) => ref.chatId === chatId && ref.turnId === turnId);
  }

  get all(): readonly OpenTurn[] {
    return this.turns;
  }

  /** A command of an agent runs. */
  get isWorking(): boolean {
    return this.turns.some(({ commands }) => commands.size > 0);
  }

  /**
   * Whether what is found may be of an open turn, and so is no baseline. Of files that no checkpoint holds nothing
   * but their time decides; it never decides whose a change is.
   */
  mayBeOfTurn(found: DiskFile): boolean {
    const [first] = this.turns;
    if (!first) return false;
    return (changedAt(found) ?? Infinity) >= first.startedAt - CLOCK_SLACK_MS;
  }

  isNamed(path: string): boolean {
    return this.turns.some(({ named }) => named.has(path));
  }

  /**
   * Whose a change of `path` is that neither the editor nor git explains: of the turn that named the file, else
   * of the one whose command runs, else shared by all. Undefined: no checkpoint is open.
   */
  originOf(path: string): Origin | undefined {
    const named = this.turns.findLast(({ claimed }) => claimed.has(path));
    if (named) return { turns: [named], isClaimed: true };
    const working = this.turns.filter(({ commands }) => commands.size > 0);
    const open = working.length > 0 ? working : this.turns;
    // What an earlier turn of a chat has left running is the chat's as well.
    const isLatest = ({ ref }: OpenTurn, index: number) =>
      !open.some((other, at) => at > index && other.ref.chatId === ref.chatId);
    const [first, ...others] = open.filter(isLatest);
    const isClaimed = working.length > 0 && others.length === 0;
    return first && { turns: [first, ...others], isClaimed };
  }
}

export function authorOf({ turns, isClaimed }: Origin): Author {
  if (isClaimed) return turns[0].ref;
  return { unclaimed: turns.map(({ ref, agent }) => ({ turn: ref, agent })) };
}
