import * as l10n from '@vscode/l10n';
import { comparable, rankOf } from '../../src/base/fuzzy';
import type { ConfigChoice, ConfigGroup, ConfigSelect } from '../../src/session/state/config';

/** From so many choices on there is a field to search them. */
const SEARCHED_FROM = 9;
/** Choices of the group "Recent". */
const MAX_RECENT = 3;

/** All choices of an option in the agent's order. */
export function flatChoices({ groups }: Pick<ConfigSelect, 'groups'>): readonly ConfigChoice[] {
  return groups.flatMap(({ choices }) => choices);
}

export function currentChoice(option: ConfigSelect): ConfigChoice | undefined {
  return flatChoices(option).find(({ value }) => value === option.value);
}

export function isSearched(option: ConfigSelect): boolean {
  return flatChoices(option).length >= SEARCHED_FROM;
}

/**
 * The choices of an option with many, in groups: those that fit `query`; without one, what was chosen before comes first.
 * @param recent values that were chosen, the latest first
 */
export function searchedGroups(
  option: ConfigSelect,
  query: string,
  recent: readonly string[],
): readonly ConfigGroup[] {
  if (query !== '') {
    return groupsWith(option.groups, choice => rank(choice, query) !== undefined);
  }
  const all = flatChoices(option);
  const chosen = recent
    .filter(value => value !== option.value)
    .flatMap(value => all.find(choice => choice.value === value) ?? [])
    .slice(0, MAX_RECENT);
  if (chosen.length === 0) return option.groups;
  const others = groupsWith(option.groups, choice => !chosen.includes(choice));
  return [{ name: l10n.t('Recent'), choices: chosen }, ...others];
}

/** The place, in the groups as they are shown, of the choice that fits `query` best. */
export function bestPlace(groups: readonly ConfigGroup[], query: string): number {
  const ranks = flatChoices({ groups }).map(choice => rank(choice, query) ?? Infinity);
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}

/**
 * Where the next keys of a search by typing lead: the first choice from `from` on whose name begins with
 * `typed`, going round. Undefined when there is none.
 */
export function findByTyping(
  choices: readonly ConfigChoice[],
  typed: string,
  from: number,
): number | undefined {
  const wanted = typed.toLocaleLowerCase();
  for (let step = 0; step < choices.length; step += 1) {
    const index = (from + step) % choices.length;
    if (choices[index]?.name.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

/** By its name, else by what is said of it; 0 is the best. */
function rank({ name, value, description = '' }: ConfigChoice, query: string): number | undefined {
  const wanted = comparable(query.trim());
  const byName = rankOf(comparable(name), name, wanted, 0);
  if (byName !== undefined) return byName;
  return [value, description].some(text => comparable(text).includes(wanted)) ? 8 : undefined;
}

function groupsWith(
  groups: readonly ConfigGroup[],
  isWanted: (choice: ConfigChoice) => boolean,
): readonly ConfigGroup[] {
  return groups
    .map(group => ({ ...group, choices: group.choices.filter(isWanted) }))
    .filter(({ choices }) => choices.length > 0);
}
