import { withoutEscapes } from '../../base/escapeSequences';
import type { Content } from '../../session/translate/contents';

/** More are not counted. */
const MAX_MATCHES = 100_000;

/** How often `text` stands in each of the contents that are still kept, as the search of the chat counts. */
export async function heldMatches(
  contents: { get(ref: string): Content | undefined },
  refs: readonly string[],
  text: string,
  isCase: boolean,
  signal: AbortSignal,
): Promise<readonly { readonly ref: string; readonly count: number }[]> {
  const found: { ref: string; count: number }[] = [];
  if (text === '') return found;
  const words = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  const pattern = new RegExp(words, isCase ? 'gu' : 'giu');
  for (const ref of new Set(refs)) {
    const content = contents.get(ref);
    if (content?.kind !== 'text') continue;
    let count = 0;
    for (const _ of withoutEscapes(content.text).matchAll(pattern)) {
      count += 1;
      if (count >= MAX_MATCHES) break;
    }
    found.push({ ref, count });
    // One content takes a moment: other things have their turn between.
    await new Promise(resolve => setImmediate(resolve));
    if (signal.aborted) break;
  }
  return found;
}
