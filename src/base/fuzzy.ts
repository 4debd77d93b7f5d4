/**
 * Fuzzy matching as editors do it: the typed letters stand in the text in their order. Best is a whole name, then its
 * beginning, the beginning of a word in it, anywhere in it; then the folders before it; then letters with gaps.
 */

/** How well a text fits, from 0, the best. */
export type Rank = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** What is compared of a text or of what was typed. */
export function comparable(text: string): string {
  const lower = text.toLowerCase();
  // Some letters become two: the places of the others would move.
  return (lower.length === text.length ? lower : text).replaceAll('\\', '/');
}

/**
 * The rank of a text for what was typed; undefined when letters are missing.
 * @param lower the text, `comparable`
 * @param text as it is written: upper case begins a word
 * @param wanted what was typed, `comparable`
 * @param nameAt where the name begins behind its folders
 */
export function rankOf(
  lower: string,
  text: string,
  wanted: string,
  nameAt: number,
): Rank | undefined {
  const at = lower.indexOf(wanted, nameAt);
  if (at === nameAt) {
    const end = at + wanted.length;
    if (end === lower.length) return 0;
    return lower[end] === '.' ? 1 : 2;
  }
  if (at > 0) return beginsWord(text, at) ? 3 : 4;
  if (nameAt > 0 && lower.includes(wanted)) return 5;
  if (endOf(lower, wanted, nameAt) !== undefined) return 6;
  return nameAt > 0 && endOf(lower, wanted, 0) !== undefined ? 7 : undefined;
}

/** The places in `lower` of the typed letters: together where they can be, in the name rather than before it. */
export function hitsIn(lower: string, wanted: string, nameAt: number): readonly number[] {
  const whole = [lower.indexOf(wanted, nameAt), lower.indexOf(wanted)].find(at => at >= 0);
  if (whole !== undefined)
    return Array.from({ length: wanted.length }, (_, index) => whole + index);
  const from = endOf(lower, wanted, nameAt) === undefined ? 0 : nameAt;
  let at = endOf(lower, wanted, from);
  if (at === undefined) return [];
  // Back from the end, so that the letters before it stand as near as they can.
  const hits: number[] = [];
  for (let index = wanted.length - 1; index >= 0; index--) {
    at = lower.lastIndexOf(wanted.charAt(index), at - 1);
    hits.unshift(at);
  }
  return hits;
}

/** Behind the last of the letters, each taken where it comes first; undefined when one is missing. */
function endOf(lower: string, wanted: string, from: number): number | undefined {
  let end = from;
  for (let index = 0; index < wanted.length; index++) {
    const at = lower.indexOf(wanted.charAt(index), end);
    if (at < 0) return undefined;
    end = at + 1;
  }
  return end;
}

function beginsWord(text: string, at: number): boolean {
  const [before = '', letter = ''] = [text[at - 1], text[at]];
  if (!/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Lu}/u.test(letter) && !/\p{Lu}/u.test(before);
}
