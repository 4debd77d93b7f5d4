import type { Event } from '../base/event';
import type { PendingFile, ReviewOutcome, ReviewTarget } from './model';

/** The review as the user interface sees it. */
export interface Review {
  /** In order of path. */
  readonly pending: readonly PendingFile[];
  /** By absolute path, as given or with its links resolved. */
  get(path: string): PendingFile | undefined;
  /** Paths whose pending changes are not what they were. */
  readonly onDidChange: Event<readonly string[]>;
  /** The changes stay, and are not shown as changes any more. */
  keep(target: ReviewTarget): Promise<ReviewOutcome>;
  /** Puts the baseline's lines back; other hunks and the user's edits outside of hunks stay. */
  undo(target: ReviewTarget): Promise<ReviewOutcome>;
  /**
   * The user says that these files (by path; without any, all that are `unclaimed`) are not an agent's work. They stay
   * as they are, with nothing to decide in them.
   */
  notTheAgents(paths?: readonly string[]): Promise<ReviewOutcome>;
  /** True when there is an undo to take back. */
  readonly canRedo: boolean;
  /** Takes the last undo back: its changes are there again, and pending. */
  redo(): Promise<ReviewOutcome>;
}
