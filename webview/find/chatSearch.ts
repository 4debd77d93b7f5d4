import { allTurns } from '../../src/session/state/selectors';
import type { Message, Part, SessionState, Terminal, Turn } from '../../src/session/state/state';
import { partPieces, promptPieces, type Piece } from './partPieces';
import { patternOf } from './textMatches';

/** A place in the conversation at which the text stands. */
export interface Match {
  readonly turnId: string;
  /** Absent: in the prompt. */
  readonly partId?: string;
  readonly scope?: string;
  readonly folds: readonly string[];
  /** Which of the matches in its scope it is. */
  readonly nth: number;
}

/** What only the host has, and how often the text stands in what is shown of it. */
export interface Held {
  readonly ref: string;
  readonly shown: number;
}

export interface Found {
  readonly matches: readonly Match[];
  readonly held: readonly Held[];
  /** Not everything was looked through: there are very many. */
  readonly isCut: boolean;
}

/** More places are not counted. */
const MAX_MATCHES = 5000;

interface InPart {
  readonly matches: readonly Match[];
  readonly held: readonly Held[];
  /** The command of which the output was looked through. */
  readonly terminal: Terminal | undefined;
}

/** Searches what a chat says, part by part: what was looked through is remembered until it changes. */
export class ChatSearch {
  private readonly pattern: RegExp;
  private readonly word: string;
  private readonly known = new WeakMap<Part | Message, InPart>();

  constructor(
    query: string,
    private readonly isCase: boolean,
  ) {
    this.pattern = patternOf(query, isCase);
    // Whatever else it is, this is in it.
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
    this.word = this.inCase(longest);
  }

  /** Yields now and then, so that something else may run; then returns what was found. */
  *run(session: SessionState): Generator<void, Found> {
    const matches: Match[] = [];
    const held: Held[] = [];
    const isFull = (): boolean => matches.length >= MAX_MATCHES;
    for (const turn of allTurns(session)) {
      const prompt = turn.prompt && this.in(turn.prompt, turn, undefined, () => promptPieces(turn));
      matches.push(...(prompt?.matches ?? []));
      for (const part of turn.parts) {
        const terminal = terminalIn(session, part);
        const found = this.in(part, turn, terminal, () => partPieces(session, part));
        matches.push(...found.matches);
        held.push(...found.held);
        if (isFull()) break;
        yield;
      }
      if (isFull()) break;
    }
    return { matches: matches.slice(0, MAX_MATCHES), held, isCut: isFull() };
  }

  private in(
    where: Part | Message,
    turn: Turn,
    terminal: Terminal | undefined,
    pieces: () => readonly Piece[],
  ): InPart {
    const known = this.known.get(where);
    if (known && known.terminal === terminal) return known;
    const counts = new Map<string | undefined, number>();
    const matches: Match[] = [];
    const held: Held[] = [];
    for (const piece of pieces()) {
      const { scope, folds } = piece;
      const count = this.count(piece);
      const before = counts.get(scope) ?? 0;
      counts.set(scope, before + count);
      for (let index = 0; index < count; index += 1) {
        matches.push({
          turnId: turn.id,
          ...(where !== turn.prompt && { partId: where.id }),
          ...(scope !== undefined && { scope }),
          folds,
          nth: before + index,
        });
      }
      if (piece.held !== undefined) held.push({ ref: piece.held, shown: count });
    }
    const found = { matches, held, terminal };
    this.known.set(where, found);
    return found;
  }

  private count({ source, lines }: Piece): number {
    if (!this.inCase(source).includes(this.word)) return 0;
    let count = 0;
    for (const line of lines()) count += line.match(this.pattern)?.length ?? 0;
    return count;
  }

  private inCase(text: string): string {
    return this.isCase ? text : text.toLowerCase();
  }
}

/** What a part shows changes with it, and with the command that it runs. */
function terminalIn({ terminals }: SessionState, part: Part): Terminal | undefined {
  if (part.kind !== 'tool') return undefined;
  const id = part.content.find(each => each.kind === 'terminal')?.terminalId;
  return id === undefined ? undefined : terminals[id];
}
