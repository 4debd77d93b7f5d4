import { isShell, runsInput } from '../../base/invocation';
import type { SimpleCommand } from '../../base/shellCommand';
import type { CommandRisk } from '../state/permission';
import { harmOf, redirectionHarm } from './commandHarm';
import type { Harm } from './commandHarm';
import { ReadBudget, scriptsIn } from './commandScripts';
import type { Script } from './commandScripts';
import { pathRisks } from './pathRisks';
import type { PathPlace } from './resolvedPath';

const DOWNLOAD = /^(?:curl|wget|irm|iwr|invoke-restmethod|invoke-webrequest)$/;

/**
 * The risky pieces of a shell command, by position; overlapping ones only once. A reader's aid, no guard:
 * a command without any can still do harm.
 */
export function riskyPieces(
  command: string,
  place: PathPlace,
  budget = new ReadBudget(),
): readonly CommandRisk[] {
  const riskOf = pathRisks(place);
  const outside = (path: string): boolean => riskOf(path).outside;
  const found: CommandRisk[] = [];
  for (const script of scriptsIn(command, budget)) {
    for (const risk of risksOf(script, outside)) {
      const { start, end } = script.placed(risk);
      found.push({ ...risk, start, end });
    }
  }
  return withoutOverlaps(found);
}

/** By position in the script. */
function risksOf(
  { text, runs }: Script,
  outside: (path: string) => boolean,
): readonly CommandRisk[] {
  const found: CommandRisk[] = [];
  const add = (start: number, end: number, harm: Harm | undefined): void => {
    if (harm) found.push({ ...harm, start, end });
  };
  /** Commands with a download in a substitution. */
  const given = new Set(
    runs.flatMap(({ command, run }) => (run && DOWNLOAD.test(run.name) ? [command.within] : [])),
  );
  /** Where the pipeline that is being read downloads, by the command that it stands in. */
  const piped = new Map<SimpleCommand | undefined, number>();
  for (const { command, run, span } of runs) {
    const { within, before, redirections } = command;
    const { start, end } = span;
    if (before !== '|' && before !== '|&') piped.delete(within);
    for (const redirection of redirections) {
      add(redirection.start, redirection.end, redirectionHarm(redirection, outside));
    }
    if (!run) continue;
    const { name, administrator } = run;
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
    add(start, end, harmOf(run, text.slice(start, end), outside));
  }
  return withoutOverlaps(found);
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
