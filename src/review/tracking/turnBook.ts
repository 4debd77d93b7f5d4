import type { TurnRef } from '../model';
import { CLOCK_SLACK_MS } from './diskFile';

/** A turn as attribution sees it. Times are ms since the epoch. */
export interface TrackedTurn {
  readonly ref: TurnRef;
  readonly startedAt: number;
  endedAt?: number;
  /** Files (canonical) that its tool calls and requests named. */
  readonly named: Set<string>;
}

/** Ended turns kept for file events that come late. */
const MAX_ENDED = 50;

/** Whose turn it was when a file changed. */
export class TurnBook {
  private turns: TrackedTurn[] = [];

  start(ref: TurnRef, startedAt: number): TrackedTurn {
    const turn: TrackedTurn = { ref, startedAt, named: new Set() };
    this.turns.push(turn);
    const ended = this.turns.filter(({ endedAt }) => endedAt !== undefined);
    const surplus = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)));
    this.turns = this.turns.filter(other => !surplus.has(other));
    return turn;
  }

  end(ref: TurnRef, endedAt: number): void {
    const turn = this.get(ref);
    if (turn) turn.endedAt ??= endedAt;
  }

  get({ chatId, turnId }: TurnRef): TrackedTurn | undefined {
    return this.turns.find(({ ref }) => ref.chatId === chatId && ref.turnId === turnId);
  }

  /** The turn that runs in a chat, else its last. */
  latestOf(chatId: string): TrackedTurn | undefined {
    return this.turns.findLast(({ ref }) => ref.chatId === chatId);
  }

  get running(): readonly TrackedTurn[] {
    return this.turns.filter(({ endedAt }) => endedAt === undefined);
  }

  /** When the oldest turn that still runs began; undefined when none does. */
  get runningSince(): number | undefined {
    const [first] = this.running;
    return first?.startedAt;
  }

  /**
   * Whose change of `path` at `changedAt` it was: of the turns that ran then the one that named the path,
   * else the latest. Undefined: no turn ran, so it was not an agent. Without a time, a turn must run now.
   */
  ownerOf(path: string, changedAt: number | undefined): TrackedTurn | undefined {
    const candidates =
      changedAt === undefined
        ? this.running
        : this.turns.filter(
            ({ startedAt, endedAt = Infinity }) =>
              startedAt - CLOCK_SLACK_MS <= changedAt && changedAt <= endedAt,
          );
    return candidates.findLast(({ named }) => named.has(path)) ?? candidates.at(-1);
  }
}
