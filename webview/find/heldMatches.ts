import type { Ask } from '../composer/mentionList';
import type { Held } from './chatSearch';

/** How often a text stands in what the host has and the chat does not show. */
export async function heldMatches(
  ask: Ask,
  held: readonly Held[],
  text: string,
  isCase: boolean,
  signal: AbortSignal,
): Promise<number> {
  if (held.length === 0) return 0;
  const refs = held.map(({ ref }) => ref);
  const answer = await ask({ type: 'heldMatches', text, isCase, refs }, signal).catch(
    () => undefined,
  );
  const counts = new Map(answer?.found.map(({ ref, count }) => [ref, count]));
  return held.reduce((sum, { ref, shown }) => sum + Math.max(0, (counts.get(ref) ?? 0) - shown), 0);
}
