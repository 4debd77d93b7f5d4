import type { Match } from './chatSearch';
import { textMatches } from './textMatches';

/** Where the text stands in the scope of a match, as far as that is in the document. */
export function placesOf(
  transcript: Element,
  { turnId, partId, scope }: Match,
  query: string,
  isCase: boolean,
): readonly StaticRange[] {
  const turn = transcript.querySelector(`[data-turn-id="${CSS.escape(turnId)}"]`);
  const part = turn?.querySelector(
    partId === undefined ? ':scope > .prompt > p' : `[data-id="${CSS.escape(partId)}"]`,
  );
  if (!part) return [];
  const inside =
    scope === 'head'
      ? part.querySelector('.cut')
      : scope === undefined
        ? part
        : part.querySelector(`[data-fold="${CSS.escape(scope)}"]`);
  const places = textMatches(inside ?? part, query, isCase);
  return places.length > 0 ? places : textMatches(part, query, isCase);
}

export function unfold(element: Element | null | undefined): void {
  for (let inner = element; inner; inner = inner.parentElement) {
    const outer = inner.parentElement;
    if (outer instanceof HTMLDetailsElement && inner.tagName !== 'SUMMARY') outer.open = true;
  }
}

export function scrollTo({
  startContainer,
  startOffset,
  endContainer,
  endOffset,
}: StaticRange): void {
  // Code is one element of many lines: twice, then.
  startContainer.parentElement?.scrollIntoView({ block: 'center' });
  const log = startContainer.parentElement?.closest('.log');
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  const place = range.getBoundingClientRect();
  const view = log?.getBoundingClientRect();
  if (log && view) log.scrollTop += place.top - view.top - view.height / 2;
}
