/** What a request asks for, in the pieces that rules decide about one by one. */
import type { CommandIn } from './commandPattern';

export interface CommandPiece extends CommandIn {
  readonly what: 'command';
  /** Where it may run; undefined when that is not known. */
  readonly folders: readonly string[] | undefined;
  /** It runs what it reads, and is given something to read. */
  readonly runsInput: boolean;
  /** It is only part of what a permitted command runs: rules against it hold. */
  readonly isMention?: true;
}

export interface FilePiece {
  readonly what: 'file';
  /** ACP's ToolKind: `read`, `edit`, `delete`, `move`, `search`. */
  readonly kind: string;
  readonly isWrite: boolean;
  /** By each name that it has: as given, and what the links in it lead to. */
  readonly names: readonly string[];
  /** It is named, and nobody knows what for: rules against it hold, and none is needed that allows it. */
  readonly isMention?: true;
  /** A shell makes another name of it, or several. */
  readonly isUncertain?: true;
}

/** A call of which no more is known. */
export interface CallPiece {
  readonly what: 'call';
}

export type Piece = CommandPiece | FilePiece | CallPiece;

/** Kinds of calls that write files: one that names none of these is not understood. */
export const WRITES: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

export interface Subject {
  readonly title: string;
  /** As the agent says; the kinds of pieces are known. */
  readonly kind: string;
  readonly pieces: readonly Piece[];
  /** False where something of it is not understood: then no rule allows it. */
  readonly isKnown: boolean;
}
