import type { TurnRef } from '../model';
import type { Heads } from './baselines';
import { CLOCK_SLACK_MS } from './diskFile';
import type { Known } from './knownFiles';
import type { ToldDiff } from './reverseDiff';
import { SLACK_MS, TurnWork } from './turnWork';

/** A turn as attribution sees it. Times are ms since the epoch. */
export interface TrackedTurn {
  readonly ref: TurnRef;
  readonly startedAt: number;
  endedAt?: number;
  /** Files (canonical) that its tool calls and requests named. */
  readonly named: Set<string>;
  /** What its tool calls told that they change, by file (canonical). */
  readonly diffs: Map<string, readonly ToldDiff[]>;
  /** Where HEAD was when it began. */
  readonly heads: Heads;
  readonly work: TurnWork;
  /** Files that changed while the agent was not at work, with what was known of them before. */
  readonly leftOut: Map<string, Known | undefined>;
}

/** Whose doing a change is; `open` until then (ms since the epoch). */
export type Owner =
  | { readonly kind: 'agent'; readonly turn: TrackedTurn }
  /** `during`: a turn that ran, whose agent was not at work. */
  | { readonly kind: 'user'; readonly during?: TrackedTurn }
  | { readonly kind: 'open'; readonly until: number };

/** Ended turns kept for file events that come late. */
const MAX_ENDED = 50;

/** Whose turn it was when a file changed. */
export class TurnBook {
  private turns: TrackedTurn[] = [];

  start(ref: TurnRef, startedAt: number, heads: Heads): void {
    const turn: TrackedTurn = {
      ref,
      startedAt,
      named: new Set(),
      diffs: new Map(),
      heads,
      work: new TurnWork(),
      leftOut: new Map(),
    };
    this.turns.push(turn);
    const ended = this.turns.filter(({ endedAt }) => endedAt !== undefined);
    const surplus = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)));
    this.turns = this.turns.filter(other => !surplus.has(other));
  }

  end(ref: TurnRef, endedAt: number): void {
    const turn = this.get(ref);
    if (turn?.endedAt !== undefined) return;
    if (turn) turn.endedAt = endedAt;
    turn?.work.allEnded(endedAt);
    turn?.leftOut.clear();
  }

  get({ chatId, turnId }: TurnRef): TrackedTurn | undefined {
    return this.turns.find(({ ref }) => ref.chatId === chatId && ref.turnId === turnId);
  }

  get running(): readonly TrackedTurn[] {
    return this.turns.filter(({ endedAt }) => endedAt === undefined);
  }

  /** Hashes of what files were that may have to be judged again. */
  *hashes(): Iterable<string> {
    for (const { leftOut } of this.running) {
      for (const known of leftOut.values()) if (known?.kind === 'file') yield known.hash;
    }
  }

  /** When the oldest turn that still runs began; undefined when none does. */
  get runningSince(): number | undefined {
    const [first] = this.running;
    return first?.startedAt;
  }

  /** Whether a turn that still runs named the file. */
  isNamed(path: string): boolean {
    return this.turns.some(({ named }) => named.has(path));
  }

  /**
   * Whose change of `path` at `changedAt` it was. Of the turns that ran then and whose agents were at work:
   * the one that named the path, else the latest. Without a time, a turn must run now.
   */
  ownerOf(path: string, changedAt: number | undefined, now: number): Owner {
    const at = changedAt ?? now;
    const candidates =
      changedAt === undefined
        ? this.running
        : this.turns.filter(
            ({ startedAt, endedAt = Infinity }) =>
              // The end is told in whole milliseconds, the file's time in parts of them.
              startedAt - CLOCK_SLACK_MS <= changedAt && changedAt < endedAt + 1,
          );
    const verdicts = candidates.map(turn => ({
      turn,
      verdict: turn.work.verdict(turn.named.has(path), at, now),
    }));
    const workers = verdicts.filter(({ verdict }) => verdict === 'agent').map(({ turn }) => turn);
    const turn = workers.findLast(({ named }) => named.has(path)) ?? workers.at(-1);
    if (turn) return { kind: 'agent', turn };
    if (verdicts.some(({ verdict }) => verdict === 'open')) {
      return { kind: 'open', until: at + SLACK_MS };
    }
    const during = candidates.at(-1);
    return { kind: 'user', ...(during && { during }) };
  }
}
