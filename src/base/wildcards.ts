/**
 * Whether `items` fit `pattern`, in which an element that `isMany` stands for any number of items. Takes no more steps
 * than both lengths multiplied.
 */
export function fits<P, I>(
  pattern: readonly P[],
  items: readonly I[],
  isMany: (element: P) => boolean,
  fitsOne: (element: P, item: I) => boolean,
): boolean {
  let at = 0;
  /** Behind the last element that stands for many, and the first item behind those that it stands for. */
  let again: { readonly at: number; from: number } | undefined;
  for (let index = 0; index < items.length;) {
    const element = pattern[at];
    if (at < pattern.length && isMany(element as P)) again = { at: (at += 1), from: index };
    else if (at < pattern.length && fitsOne(element as P, items[index] as I)) {
      at += 1;
      index += 1;
    } else if (again) {
      again.from += 1;
      index = again.from;
      ({ at } = again);
    } else return false;
  }
  return pattern.slice(at).every(isMany);
}

/** Whether `text` fits a pattern in which `*` is any text and, if wanted, `?` any character. */
export function textFits(pattern: string, text: string, anyOne = ''): boolean {
  if (!pattern.includes('*') && (anyOne === '' || !pattern.includes(anyOne))) {
    return pattern === text;
  }
  return fits(
    [...pattern],
    [...text],
    each => each === '*',
    (each, character) => each === character || each === anyOne,
  );
}
