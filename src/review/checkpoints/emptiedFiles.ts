import { lookAt } from './diskFile';
import type { Looked } from './folders';
import type { KnownFiles } from './knownFiles';

/** Longer than a file system mostly takes to date what it has emptied, in milliseconds. */
const DATING_MS = 100;
/** So often at most is waited for the date of a file that cannot be what it seems. */
const MAX_WAITS = 20;

/**
 * Looks again at the empty ones of `looked` that seem to be from before. A file that is opened again for writing
 * is empty for some milliseconds before it is dated (ext4), as if it had been empty all along.
 */
export async function withoutEmptied(
  looked: readonly Looked[],
  known: Pick<KnownFiles, 'hasTimeOf'>,
  seemsOld: (one: Looked) => boolean,
): Promise<readonly Looked[]> {
  const isEmpty = ({ found }: Looked): boolean => found.kind === 'file' && found.size === 0;
  const isCertain = ({ path, found }: Looked): boolean => known.hasTimeOf(path, found);
  let now = looked;
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const isDoubtful = waits === 0 ? seemsOld : isCertain;
    const doubtful = now.filter(one => isEmpty(one) && isDoubtful(one));
    if (doubtful.length === 0) break;
    await new Promise(resolve => setTimeout(resolve, DATING_MS));
    const again = new Map<string, Looked>();
    for (const { path } of doubtful) again.set(path, { path, found: await lookAt(path) });
    now = now.map(one => again.get(one.path) ?? one);
  }
  return now;
}
