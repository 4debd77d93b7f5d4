import { invocationOf, isShell, runsInput, scriptOf } from '../../base/invocation';
import type { Invocation } from '../../base/invocation';
import { parseCommand } from '../../base/parseCommand';
import type { SimpleCommand, Span } from '../../base/shellCommand';

/** How deep commands in quotes are looked into. */
const MAX_QUOTED = 4;

/** How much of a request's command is read, with the commands quoted in it, in UTF-16 units. */
export class ReadBudget {
  constructor(private left = 100_000) {}

  /** What may be read of `text`: its beginning, where not all. */
  take(text: string): string {
    const taken = text.slice(0, this.left);
    this.left -= taken.length;
    return taken;
  }
}

/** A command of a script and the program that it runs in the end, if that is known. */
export interface Run {
  readonly command: SimpleCommand;
  readonly run: Invocation | undefined;
  /** Without assignments, and without what stands before the program. */
  readonly span: Span;
}

/** A text that a shell runs. */
export interface Script {
  readonly text: string;
  readonly runs: readonly Run[];
  /** Where a span of the script lies in the whole command. */
  readonly placed: (span: Span) => Span;
}

type Quoted = Pick<Script, 'text' | 'placed'>;

/**
 * The command, then the scripts quoted in it, outer ones first. Substitutions are in the script around them, and no
 * character is read more than once a level.
 */
export function* scriptsIn(command: string, budget: ReadBudget): Iterable<Script> {
  let level: readonly Quoted[] = [{ text: command, placed: span => span }];
  for (let depth = 0; depth <= MAX_QUOTED; depth += 1) {
    const next: Quoted[] = [];
    for (const { text: whole, placed } of level) {
      const text = budget.take(whole);
      const script = { text, placed, runs: parseCommand(text).commands.map(runOf) };
      yield script;
      for (const run of script.runs) next.push(...quotedIn(run, script));
    }
    level = next;
  }
}

function runOf(command: SimpleCommand): Run {
  const run = invocationOf(command.words);
  const { start } = run?.fed ?? run?.words[0] ?? command;
  return { command, run, span: { start, end: command.end } };
}

function* quotedIn({ command, run, span }: Run, { text, placed }: Script): Iterable<Quoted> {
  if (!run) return;
  const script = scriptOf(run);
  if (script !== undefined) yield { text: script, placed: () => placed(span) };
  if (!isShell(run.name) || !runsInput(run)) return;
  for (const { operator, target, document, start, end } of command.redirections) {
    if (operator === '<<<' && target) {
      yield { text: target.value, placed: () => placed({ start, end }) };
    } else if (document) {
      const from = document.start;
      const verbatim = text.slice(from, document.end) === document.value;
      const within = (inner: Span): Span =>
        verbatim ? { start: inner.start + from, end: inner.end + from } : { start, end };
      yield { text: document.value, placed: inner => placed(within(inner)) };
    }
  }
}
