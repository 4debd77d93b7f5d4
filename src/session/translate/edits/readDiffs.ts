/** The diffs of a call as changes of files. Pure. */
import { fullPathOf } from '../callNames';
import { ByPath, changeOfDiff, pathsWithText, type Change } from './diffs';
import type * as schema from '../../../acp/schema/schema';
import { withChangeLists } from './changeLists';
import { MAX_BLOCKS } from '../updateBounds';

/** Beyond so many places their lines are not looked at. */
const MAX_PLACES = 500;

type Place = Pick<schema.ToolCallLocation, 'path' | 'line'>;
type Content = schema.ToolCallContent | Change;

/**
 * The content of a call with its diffs read: where their files are, what happens to them, and at which lines.
 * @param kind the kind of the call
 * @param places what the call names, before that what it named earlier
 */
export function readDiffs(
  sent: readonly schema.ToolCallContent[],
  kind: string | undefined,
  places: readonly (readonly Place[])[],
): readonly Content[] {
  const items = withChangeLists(sent);
  const old = pathsWithText(items.filter(item => item.type === 'diff'));
  const changes = items.map(item =>
    item.type === 'diff' ? changeOfDiff(item, kind, old.has(item.path)) : item,
  );
  const named = places.flat();
  if (named.length === 0) return changes;
  const found = withFullPaths(changes, named);
  return withLines(found, places.find(list => list.length > 0) ?? []);
}

/** Beyond what is shown as a change, paths stay as they are. */
function withFullPaths(items: readonly Content[], places: readonly Place[]): readonly Content[] {
  const paths = new Map<string, string>();
  return items.map((item, index) => {
    if ('type' in item) return item;
    const known = paths.get(item.path);
    if (known === undefined && index >= MAX_BLOCKS) return item;
    const path = known ?? fullPathOf(item.path, places);
    paths.set(item.path, path);
    return { ...item, path };
  });
}

/** With the lines that the call names for the changes of a file, when it names one for each. */
function withLines(items: readonly Content[], places: readonly Place[]): readonly Content[] {
  if (places.length > MAX_PLACES) return items;
  const placed = new ByPath(places, ({ path }) => path);
  const blocks = new Map<string, Change[]>();
  for (const item of items) {
    if ('type' in item) continue;
    const same = blocks.get(item.path) ?? [];
    same.push(item);
    blocks.set(item.path, same);
  }
  const lines = new Map<Content, number>();
  for (const [path, changes] of [...blocks].slice(0, MAX_BLOCKS)) {
    const own = placed.at(path).flatMap(({ line }) => (line ? [line] : []));
    if (own.length !== changes.length) continue;
    for (const [index, line] of own.entries()) {
      const change = changes[index];
      // One text may be the whole file, of which the line is within.
      if (change && (changes.length > 1 || lengthOf(change) < line)) lines.set(change, line);
    }
  }
  return items.map(item => {
    const line = lines.get(item);
    return line === undefined || 'type' in item || item.line !== undefined
      ? item
      : { ...item, line };
  });
}

function lengthOf({ oldText, newText }: Change): number {
  return Math.max((oldText ?? '').split('\n').length, newText.split('\n').length);
}
