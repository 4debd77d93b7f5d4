import type { PathWarning } from '../state/permission';
import { ReadBudget, scriptsIn } from './commandScripts';
import { pathRisks } from './pathRisks';
import type { PathPlace } from './resolvedPath';

/** The files that a command names from which code is run, each once; in quoted commands too. */
export function riskyWords(
  command: string,
  place: PathPlace,
  budget = new ReadBudget(),
): readonly PathWarning[] {
  const riskOf = pathRisks(place);
  const found: PathWarning[] = [];
  const seen = new Set<string>();
  for (const path of pathsIn(command, budget)) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { outside, runs } = riskOf(path);
    if (runs) found.push({ path, outside, runs });
  }
  return found;
}

function* pathsIn(text: string, budget: ReadBudget): Iterable<string> {
  for (const { runs } of scriptsIn(text, budget)) {
    for (const { assignments, words, redirections } of runs.map(({ command }) => command)) {
      const targets = redirections.flatMap(({ target }) => (target ? [target] : []));
      for (const { value } of [...assignments, ...words, ...targets]) {
        // In `--file=path` and `of=path` the path is behind the sign.
        yield value.replace(/^[\w-]+=/, '');
      }
    }
  }
}
