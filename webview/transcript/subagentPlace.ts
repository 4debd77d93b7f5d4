import type { TranscriptElement } from './transcriptElement';

/** The call of a subagent that is opened as a conversation of its own. */
export interface SubagentPlace {
  readonly turnId: string;
  readonly partId: string;
  /** Where it stood, in pixels below the top of the view. */
  readonly top?: number;
}

/** Asks the frame for the subagent's conversation (`parley-open-subagent`). */
export function openSubagent(source: HTMLElement, call: SubagentPlace): void {
  const [log, card] = [source.closest('.log'), source.closest('[data-id]')];
  const top = log && card ? topOf(card, log) : undefined;
  const detail: SubagentPlace = { ...call, ...(top !== undefined && { top }) };
  source.dispatchEvent(new CustomEvent('parley-open-subagent', { detail, bubbles: true }));
}

/** The reader is where they were when they opened the subagent, and so is the focus. */
export async function returnTo(
  transcript: TranscriptElement,
  { turnId, partId, top }: SubagentPlace,
): Promise<void> {
  const card = await transcript.bring(turnId, partId);
  const log = card?.closest('.log');
  if (!card || !log) return;
  const opener = card.querySelector<HTMLElement>(':scope > .th > .icon');
  (opener ?? card).focus({ preventScroll: true });
  if (top === undefined) card.scrollIntoView({ block: 'nearest' });
  else log.scrollTop += topOf(card, log) - top;
}

function topOf(card: Element, log: Element): number {
  return card.getBoundingClientRect().top - log.getBoundingClientRect().top;
}
