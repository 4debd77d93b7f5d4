import { CLOCK_SLACK_MS } from './diskFile';

/** What an agent does for a while that may change files. */
export interface Work {
  /** A tool call that only reads, searches or fetches: at most the files it names are its doing. */
  readonly onlyNamed: boolean;
  /** It runs git. */
  readonly usesGit: boolean;
  /** It cannot have begun before it was told: the user allowed it only then. */
  readonly exact?: boolean;
}

interface Span extends Work {
  readonly id: string;
  readonly since: number;
  until: number;
}

/** What is told of a piece of work may come this much after it began, and its effects after its end; in ms. */
export const SLACK_MS = 1_500;
/** The same for files that tool calls named: what follows an edit (a hook, a formatter) takes its time. */
const NAMED_SLACK_MS = 10_000;

/** Whether a change can be the agent's. `open`: it cannot be told yet. */
export type Verdict = 'agent' | 'other' | 'open';

/**
 * When the agent of a turn was at work on what can change files: tool calls from their announcement to their
 * end without the time they wait for permission, and commands while they run. What else changes on disk
 * meanwhile is the doing of other programs: a build, a formatter that watches, the user's own terminal.
 * All times are ms since the epoch.
 */
export class TurnWork {
  private readonly spans: Span[] = [];
  /**
   * True when this agent is known to tell what it does before it does it. As long as it is not, all of the
   * turn counts as work: better to show too much than to miss an edit.
   */
  isTold = false;

  began(id: string, work: Work, at: number): void {
    if (!this.open(id)) this.spans.push({ ...work, id, since: at, until: Infinity });
  }

  ended(id: string, at: number): void {
    const span = this.open(id);
    if (span) span.until = at;
  }

  /** The turn is over. */
  allEnded(at: number): void {
    for (const span of this.spans) span.until = Math.min(span.until, at);
  }

  /**
   * @param isNamed tool calls of the turn named the file
   * @param at when the file changed
   */
  verdict(isNamed: boolean, at: number, now: number): Verdict {
    if (!this.isTold) return 'agent';
    const after = isNamed ? NAMED_SLACK_MS : SLACK_MS;
    const covers = ({ onlyNamed, since, until, exact }: Span) =>
      (isNamed || !onlyNamed) &&
      since - (exact ? CLOCK_SLACK_MS : SLACK_MS) <= at &&
      at <= until + after;
    if (this.spans.some(covers)) return 'agent';
    return now < at + SLACK_MS ? 'open' : 'other';
  }

  /** Whether a change at that time may be that of a git which the agent ran. */
  usedGit(at: number): boolean {
    return this.spans.some(
      ({ usesGit, since, until }) => usesGit && since - SLACK_MS <= at && at <= until + SLACK_MS,
    );
  }

  private open(id: string): Span | undefined {
    return this.spans.find(span => span.id === id && span.until === Infinity);
  }
}
