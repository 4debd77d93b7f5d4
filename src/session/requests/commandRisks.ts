import { invocationOf, isShell, scriptOf, valuesOf } from '../../base/invocation';
import type { Invocation } from '../../base/invocation';
import { parseCommand } from '../../base/parseCommand';
import type { Redirection, SimpleCommand } from '../../base/shellCommand';
import type { CommandRisk } from '../state/permission';
import { harmOf, redirectionHarm } from './commandHarm';
import type { Harm } from './commandHarm';

/** What is beyond is not looked at, UTF-16 units. */
const MAX_LENGTH = 100_000;
/** How deep commands in quotes are looked into. */
const MAX_QUOTED = 4;
const DOWNLOAD = /^(?:curl|wget|irm|iwr|invoke-restmethod|invoke-webrequest)$/;
const INTERPRETER = /^(?:python[\d.]*|node|perl|ruby|php|iex|invoke-expression)$/;

/**
 * The risky pieces of a shell command, by position; overlapping ones only once. A reader's aid, no guard:
 * a command without any can still do harm.
 */
export function riskyPieces(command: string): readonly CommandRisk[] {
  return piecesOf(command.slice(0, MAX_LENGTH), 0);
}

function piecesOf(text: string, quoted: number): readonly CommandRisk[] {
  const found: CommandRisk[] = [];
  const add = (start: number, end: number, harm: Harm | undefined): void => {
    if (harm) found.push({ ...harm, start, end });
  };
  const runs = parseCommand(text).commands.map(command => ({
    command,
    run: invocationOf(command.words),
  }));
  /** Commands with a download in a substitution. */
  const given = new Set(
    runs.flatMap(({ command, run }) => (run && DOWNLOAD.test(run.name) ? [command.within] : [])),
  );
  /** Where the pipeline that is being read downloads, by the command that it stands in. */
  const piped = new Map<SimpleCommand | undefined, number>();
  for (const { command, run } of runs) {
    const { end, within, before, redirections } = command;
    if (before !== '|' && before !== '|&') piped.delete(within);
    for (const redirection of redirections) {
      add(redirection.start, redirection.end, redirectionHarm(redirection));
    }
    if (!run) continue;
    const { name, administrator } = run;
    const start = (run.fed ?? run.words[0] ?? command).start;
    if (administrator) {
      add(administrator.start, administrator.end, {
        kind: 'administrator',
        name: administrator.value,
      });
    }
    const source = piped.get(within);
    if (source !== undefined && runsInput(run)) add(source, end, downloaded(`curl | ${name}`));
    if (given.has(command) && (isShell(name) || /^(?:source|eval|\.)$/.test(name))) {
      add(start, end, downloaded(`${name} $(curl)`));
    }
    if (source === undefined && (DOWNLOAD.test(name) || given.has(command))) {
      piped.set(within, start);
    }
    add(start, end, harmOf(run, text.slice(start, end)));
    if (quoted >= MAX_QUOTED) continue;
    const script = scriptOf(run);
    if (script !== undefined) add(start, end, piecesOf(script, quoted + 1)[0]);
    if (isShell(name) && runsInput(run)) {
      for (const { start, end, ...harm } of inputRisks(text, redirections, quoted))
        add(start, end, harm);
    }
  }
  return withoutOverlaps(found);
}

/** The risks in what a shell is given to read as its script. */
function inputRisks(
  text: string,
  redirections: readonly Redirection[],
  quoted: number,
): readonly CommandRisk[] {
  return redirections.flatMap(({ start, end, operator, target, document }) => {
    if (operator === '<<<' && target) {
      return piecesOf(target.value, quoted + 1).map(risk => ({ ...risk, start, end }));
    }
    if (!document) return [];
    const inside = piecesOf(text.slice(document.start, document.end), quoted + 1);
    return inside.map(risk => ({
      ...risk,
      start: risk.start + document.start,
      end: risk.end + document.start,
    }));
  });
}

/** Whether the program runs what it reads as a script. */
function runsInput(run: Invocation): boolean {
  const given = valuesOf(run.words.slice(1));
  if (isShell(run.name)) {
    if (scriptOf(run) !== undefined) return false;
    return (
      given.includes('-s') || given.every(value => /^[-+]|^\/dev\/(?:stdin|fd\/0)$/.test(value))
    );
  }
  return (
    INTERPRETER.test(run.name) && given.every(value => /^-(?![a-zA-Z]*[ceEmnpr])|^-$/.test(value))
  );
}

function downloaded(name: string): Harm {
  return { kind: 'downloadedScript', name };
}

function withoutOverlaps(risks: readonly CommandRisk[]): readonly CommandRisk[] {
  let behind = 0;
  return risks
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < behind) return false;
      behind = end;
      return true;
    });
}
