import type { LineRange } from '../base/lineDiff';

/**
 * The shapes of the review: what agents changed and nobody has decided on yet. Plain JSON.
 *
 * Each file under review has a *baseline*: the text that the user last agreed to. It starts as what the
 * file was before an agent touched it, moves with every hunk that is kept, and takes in the user's own
 * edits; so `current` against `baseline` is exactly what agents did and is still to be decided.
 */

/** What a file is at a moment. `text` is decoded, without byte-order mark, its line endings untouched. */
export type FileContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  /** Not text, or too large to review by lines: known by the SHA-256 of its bytes. */
  | { readonly kind: 'binary'; readonly hash: string; readonly bytes: number };

/** A prompt and all that its agent did for it. */
export interface TurnRef {
  readonly chatId: string;
  readonly turnId: string;
}

/** A turn whose agent, by name, worked when something changed. */
export interface WorkingTurn {
  readonly turn: TurnRef;
  readonly agent: string;
}

/** Whose a change is: that of a turn, or of nobody for certain while agents worked (at least one). */
export type Author = TurnRef | { readonly unclaimed: readonly WorkingTurn[] };

export type { LineRange };

/** A run of lines that an agent changed. Hunks of a file are in ascending order and never overlap. */
export interface Hunk {
  /**
   * Made from what the hunk says, so that it names the same change after other hunks were decided or
   * lines above were edited, and names nothing once the hunk itself has changed.
   */
  readonly id: string;
  readonly baseline: LineRange;
  readonly current: LineRange;
  /** The turns whose changes are in it, oldest first. */
  readonly turns: readonly TurnRef[];
}

export interface PendingFile {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted' | 'renamed';
  /** With `renamed`: where it was. */
  readonly renamedFrom?: string;
  /** Nobody knows what the file was before: it can be kept, not undone. */
  readonly baselineUnknown?: boolean;
  readonly baseline: FileContent;
  readonly current: FileContent;
  /** Empty when either side is binary: such files are decided on as a whole. */
  readonly hunks: readonly Hunk[];
  /** In few words how the line endings changed, if that is all that did. */
  readonly endings?: string;
  readonly added: number;
  readonly removed: number;
  readonly turns: readonly TurnRef[];
  /** Nothing says that the changes are an agent's: names of the agents that worked meanwhile. */
  readonly unclaimed?: readonly string[];
}

/** What a decision is about. Unknown ids and paths are ignored: what they named was just decided. */
export type ReviewTarget =
  | { readonly kind: 'hunk'; readonly path: string; readonly hunkId: string }
  /** Of one file, decided on together. */
  | { readonly kind: 'hunks'; readonly path: string; readonly hunkIds: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'turn'; readonly turn: TurnRef }
  | { readonly kind: 'chat'; readonly chatId: string }
  | { readonly kind: 'all' };

/** What came of a decision. */
export interface ReviewOutcome {
  /** Hunks (or whole files, for those without) decided on. */
  readonly decided: number;
  /** Files where it could not be done, each with a sentence that says why and what to do. */
  readonly failures: readonly { readonly path: string; readonly message: string }[];
}
