import type { PermissionRule } from './rule';

/**
 * The list with new rules where they count: one that rejects before all others, one that allows before the first that
 * stands against it, and else behind the rest, so that none of these is weakened.
 * @param against rules that decided against what is allowed now
 */
export function withRules(
  list: readonly unknown[],
  added: readonly PermissionRule[],
  against: readonly PermissionRule[] = [],
): readonly unknown[] {
  const isKnown = (rule: PermissionRule): boolean => list.some(each => isSame(each, rule));
  const fresh = added.filter(rule => !isKnown(rule));
  const allows = fresh.filter(({ decision }) => decision === 'allow');
  const others = fresh.filter(({ decision }) => decision !== 'allow');
  const at = list.findIndex(each => against.some(rule => isSame(each, rule)));
  const place = at < 0 ? list.length : at;
  return [...others, ...list.slice(0, place), ...allows, ...list.slice(place)];
}

function isSame(entry: unknown, rule: PermissionRule): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const names = new Set([...Object.keys(entry), ...Object.keys(rule)]) as Set<keyof PermissionRule>;
  return [...names].every(name => (entry as PermissionRule)[name] === rule[name]);
}
