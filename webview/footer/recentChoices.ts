import type { ChosenDetail } from './choice';

/** Values that were chosen, the latest first, by option. */
export type RecentChoices = Readonly<Record<string, readonly string[]>>;

/** Chosen values that are kept of each option: one is the current, which is not offered again. */
const KEPT = 4;

export function withChosen(
  recent: RecentChoices,
  { optionId, values }: ChosenDetail,
): RecentChoices {
  const before = (recent[optionId] ?? []).filter(value => !values.includes(value));
  return { ...recent, [optionId]: [...values, ...before].slice(0, KEPT) };
}
