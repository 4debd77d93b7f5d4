import type { AvailableCommand } from '../../src/session/state/state';

export interface CommandMatch {
  readonly command: AvailableCommand;
  /** The name in pieces; those that the typed letters found are marked. */
  readonly pieces: readonly { readonly text: string; readonly hit: boolean }[];
}

/**
 * What of a command is being typed: the part after the slash, while the text is nothing else. Undefined
 * when it is no command, or its name is complete.
 */
export function typedCommand(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1];
}

/** The commands that `query` may mean: those that begin with it first, then those that contain its letters. */
export function matchCommands(
  commands: readonly AvailableCommand[],
  query: string,
): readonly CommandMatch[] {
  const wanted = query.toLowerCase();
  const found = commands.flatMap(command => {
    const name = command.name.toLowerCase();
    const start = name.indexOf(wanted);
    if (start >= 0) {
      const hits = Array.from({ length: wanted.length }, (_, index) => start + index);
      return [{ rank: start === 0 ? 0 : 1, match: { command, pieces: pieces(command, hits) } }];
    }
    const hits = scattered(name, wanted);
    return hits ? [{ rank: 2, match: { command, pieces: pieces(command, hits) } }] : [];
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ match }) => match);
}

/** Places of the letters of `wanted` in `name`, in order; undefined when one is missing. */
function scattered(name: string, wanted: string): readonly number[] | undefined {
  const hits: number[] = [];
  let from = 0;
  for (const letter of wanted) {
    const at = name.indexOf(letter, from);
    if (at < 0) return undefined;
    hits.push(at);
    from = at + 1;
  }
  return hits;
}

function pieces({ name }: AvailableCommand, hits: readonly number[]): CommandMatch['pieces'] {
  const marked = new Set(hits);
  const result: { text: string; hit: boolean }[] = [];
  for (const [index, letter] of name.split('').entries()) {
    const hit = marked.has(index);
    const last = result.at(-1);
    if (last?.hit === hit) last.text += letter;
    else result.push({ text: letter, hit });
  }
  return result;
}
