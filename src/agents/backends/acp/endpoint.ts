import type { ReadingPace } from '../../../acp/transport/readingPace';
import type { TrafficTap, Transport } from '../../../acp/transport/transport';
import type { Problem } from '../../../session/state/state';

/** Where an agent that speaks ACP is heard and spoken to, and what to say when it is gone. */
export interface Endpoint {
  /** To be called once. */
  transport(options: EndpointTransportOptions): Transport;
  /** Resolves when nothing new can come of the agent: what it said last is to be read without a pause. */
  readonly ending: Promise<unknown>;
  /**
   * Resolves with how the agent itself has ended, after its last output was read, or could have been. Absent
   * where nothing but the connection is seen of the agent. Never rejects.
   */
  readonly ended?: Promise<Ending>;
  readonly problems: EndpointProblems;
  /** The last lines of what the agent wrote beside its messages. */
  output(): readonly string[];
  /** Resolves when nothing is left. Never rejects. */
  stop(): Promise<void>;
}

export interface EndpointTransportOptions {
  /** Longest message that is read, in bytes (`parley.limits.lineBytes`). Read for each message. */
  readonly maxLineBytes: number;
  /** What came where messages belong and is none. */
  onJunk(line: string): void;
  readonly tap: TrafficTap;
  readonly pace: ReadingPace;
}

export interface Ending {
  /** A program that does its work and ends. */
  readonly isSuccess: boolean;
  /** What to say when it had not been ready yet, and when it had. */
  beforeReady(output: readonly string[]): Problem;
  afterReady(output: readonly string[]): Problem;
}

/** Failures in words that fit what the agent is: a program, or a server. */
export interface EndpointProblems {
  /** @param evidence what was seen instead of ACP, in a sentence */
  notAcp(evidence: string, output: readonly string[]): Problem;
  timedOut(seconds: number, output: readonly string[]): Problem;
  /** The connection closed before the agent was ready. @param reason absent when it just ended */
  closedEarly(reason: string | undefined, output: readonly string[]): Problem;
  /** It closed after that. */
  disconnected(reason: string | undefined, output: readonly string[]): Problem;
}
