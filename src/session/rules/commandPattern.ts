import { invocationOf, type Invocation } from '../../base/invocation';
import { parseCommand } from '../../base/parseCommand';
import type { SimpleCommand, Word } from '../../base/shellCommand';
import { textFits } from '../../base/wildcards';

/** How sure it is that a pattern means a command. */
export type Fit = 'yes' | 'maybe' | 'no';

/** A command with the text that it stands in. */
export interface CommandIn {
  readonly command: SimpleCommand;
  readonly text: string;
}

interface PatternWord {
  readonly value: string;
  readonly source: string;
  /** It is in quotes, so no `*` in it stands for something. */
  readonly isLiteral: boolean;
}

/** What a rule says of one command, word by word. */
export class CommandPattern {
  private constructor(
    private readonly assignments: readonly PatternWord[],
    private readonly words: readonly PatternWord[],
  ) {}

  /** Undefined for what is not one command without redirections. */
  static of(text: string): CommandPattern | undefined {
    const { commands, complete } = parseCommand(text);
    const [command, ...others] = commands;
    if (!command || others.length > 0 || !complete || command.redirections.length > 0) {
      return undefined;
    }
    const word = ({ start, end, value }: Word): PatternWord => {
      const source = text.slice(start, end);
      return { value, source, isLiteral: /['"\\]/.test(source) };
    };
    return new CommandPattern(command.assignments.map(word), command.words.map(word));
  }

  /**
   * The words of the command that it leaves open, where it means that very command; undefined where it does not, or
   * where that is not certain.
   */
  covers({ command, text }: CommandIn): readonly Word[] | undefined {
    const wanted = [...this.assignments, ...this.words];
    const given = [...command.assignments, ...command.words];
    const isAny = this.words[0]?.source === '*';
    if (!isAny && command.assignments.length !== this.assignments.length) return undefined;
    const [program] = command.words;
    if (!program || isExpanded(program, text)) return undefined;
    const open: Word[] = [];
    for (const [at, each] of wanted.entries()) {
      if (isRest(each, at === wanted.length - 1)) return [...open, ...given.slice(at)];
      const word = given[at];
      if (!word) return undefined;
      const source = text.slice(word.start, word.end);
      if (each.value === word.value && (each.source === source || !isExpanded(word, text))) {
        continue;
      }
      if (each.isLiteral || isExpanded(word, text) || !textFits(each.value, word.value)) {
        return undefined;
      }
      open.push(word);
    }
    return wanted.length === given.length ? open : undefined;
  }

  /** Whether the command, whatever it is run by and with more arguments too, may be what it means. */
  mayMean({ command, text }: CommandIn): Fit {
    const isAssigned = this.assignments.every(({ value }) =>
      command.assignments.some(word => textFits(value, word.value)),
    );
    if (!isAssigned) return 'no';
    const [program, ...rest] = command.words;
    if (!program) return this.words.length === 0 ? 'yes' : 'no';
    if (isExpanded(program, text)) return 'maybe';
    const runs = [command.words, invocationOf(command.words)?.words ?? command.words];
    const sure = runs.map(words => this.begins(words, text));
    if (sure.includes('yes')) return 'yes';
    const name = nameOf(this.words[0]?.value ?? '');
    // It may be run by a program that is not known to run others.
    const isNamed = rest.some(
      word => isExpanded(word, text) === false && nameOf(word.value) === name,
    );
    const isScattered = runs.some(words => this.isScattered(words, text));
    return isNamed || isScattered || sure.includes('maybe') ? 'maybe' : 'no';
  }

  /** Whether its words are there in their order, with others between: options, whose values nobody knows. */
  private isScattered([program, ...given]: readonly Word[], text: string): boolean {
    const [name, ...all] = this.words;
    if (!name || !program || !isWord(name, program, nameOf)) return false;
    const wanted = isRest(all.at(-1), true) ? all.slice(0, -1) : all;
    let found = 0;
    let isOpen = false;
    for (const word of given) {
      const next = wanted[found];
      if (!next) return true;
      // It may be all the rest, but not the verb right behind the program and another one.
      if (isExpanded(word, text) && (isOpen || found > 0)) return true;
      isOpen ||= word.value.startsWith('-');
      if (isWord(next, word)) found += 1;
    }
    return found === wanted.length;
  }

  private begins(words: readonly Word[], text: string): Fit {
    for (const [at, each] of this.words.entries()) {
      if (isRest(each, at === this.words.length - 1)) return 'yes';
      const word = words[at];
      if (!word) return 'no';
      if (isExpanded(word, text)) return 'maybe';
      if (!isWord(each, word, at === 0 ? nameOf : undefined)) return 'no';
    }
    return 'yes';
  }
}

function isRest(word: PatternWord | undefined, isLast: boolean): boolean {
  return isLast && word?.source === '*';
}

function isWord(
  { value, isLiteral }: PatternWord,
  word: Word,
  named = (text: string): string => text,
): boolean {
  const given = named(word.value);
  return isLiteral ? given === named(value) : textFits(named(value), given);
}

function nameOf(value: string): string {
  const run: Pick<Invocation, 'name'> | undefined = invocationOf([{ start: 0, end: 0, value }]);
  return run?.name ?? value;
}

const QUOTED = /\\[^]|\$'(?:[^'\\]|\\[^])*'|'[^']*'|"((?:[^"\\]|\\[^])*)"/g;

/** Whether a shell makes something else of the word than its value: variables, file names, braces. */
export function isExpanded({ start, end }: Word, text: string): boolean {
  const bare = text
    .slice(start, end)
    .replace(QUOTED, (_, inner?: string) =>
      (inner ?? '').replace(/\\[^]/g, '').replace(/[^$`]/g, ''),
    );
  return /[$`*?[{]|^~/.test(bare);
}
