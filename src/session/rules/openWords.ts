/** What a rule's `*` may stand for. */
import type { Word } from '../../base/shellCommand';
import { pathRisks } from '../requests/pathRisks';
import type { PathPlace } from '../requests/resolvedPath';
import { isExpanded, type CommandIn } from './commandPattern';

/** Programs that write no file that they are given. */
const READERS =
  /^(?:cat|head|tail|wc|ls|stat|cmp|diff|grep|egrep|fgrep|pwd|echo|printf|true|false|test|basename|dirname|which|du|df)$/;
const GIT_READERS = /^(?:status|blame|show|log|diff|add)$/;

/** Readings of a word that are looked at; one with more is not understood. */
const MAX_FILES = 50;

/**
 * Whether none of these words may be a file that is always asked about: outside the workspace, or one from which
 * code is run.
 * @param folders where the command may run
 */
export function areHarmless(
  words: readonly Word[],
  { command, text }: CommandIn,
  folders: readonly string[] | undefined,
  place: PathPlace,
): boolean {
  if (words.length === 0) return true;
  const isSet = words.some(word => command.assignments.includes(word));
  if (isReader(command.words) && !isSet) return true;
  if (!folders) return false;
  const risks = folders.map(cwd => pathRisks({ ...place, cwd }));
  return words.every(word => {
    if (isExpanded(word, text)) return false;
    const files = filesIn(word.value);
    return risks.every(
      riskOf =>
        files.length <= MAX_FILES &&
        files.every(file => {
          const { outside, runs } = riskOf(file);
          return !outside && !runs;
        }),
    );
  });
}

/** All that may be a file in a word: `-ofile`, `-xofile`, `--output=file`, `name=@file`. */
function filesIn(value: string): readonly string[] {
  const [options = ''] = /^-[A-Za-z\d]*/.exec(value) ?? [];
  const starts = [0, ...Array.from(options, (_, at) => at + 1)];
  const signs = Array.from(value.matchAll(/[=@,]/g), ({ index }) => index + 1);
  return [...starts, ...signs].map(at => value.slice(at));
}

function isReader([program, verb, ...rest]: readonly Word[]): boolean {
  const name = program?.value ?? '';
  if (name !== 'git') return READERS.test(name);
  return GIT_READERS.test(verb?.value ?? '') && !rest.some(({ value }) => /^--?o/.test(value));
}
