/** The diffs of a call as changes of files. Pure. */
import { fullPathOf } from '../../acp/dialects/calls';
import { isSamePath, pathsWithText, toldChange, type Change } from '../../acp/dialects/diffs';
import type * as schema from '../../acp/schema';

/** Beyond so many places their lines are not looked at: each is compared with each diff. */
const MAX_PLACES = 500;

type Place = Pick<schema.ToolCallLocation, 'path' | 'line'>;

/**
 * The content of a call with its diffs read: where their files are, what happens to them, and at which lines.
 * @param kind the kind of the call
 * @param places what the call names, before that what it named earlier
 */
export function readDiffs(
  items: readonly schema.ToolCallContent[],
  kind: string | undefined,
  places: readonly (readonly Place[])[],
): readonly (schema.ToolCallContent | Change)[] {
  const diffs = items.flatMap(item => (item.type === 'diff' ? [item] : []));
  const named = places.flat();
  const old = pathsWithText(diffs);
  const changes = diffs.map(diff => {
    const change = toldChange(diff, kind, old.has(diff.path));
    return { ...change, path: fullPathOf(change.path, named) };
  });
  const placed = new Map(
    changes.map((change, index) => [
      diffs[index],
      withLine(change, changes, places.find(list => list.length > 0) ?? []),
    ]),
  );
  return items.map(item => (item.type === 'diff' ? (placed.get(item) ?? item) : item));
}

/** With the line that the call names for it, when it names one for each change of the file. */
function withLine(change: Change, all: readonly Change[], places: readonly Place[]): Change {
  if (change.line !== undefined || places.length > MAX_PLACES) return change;
  const blocks = all.filter(({ path }) => path === change.path);
  const lines = places.flatMap(({ path, line }) =>
    line && isSamePath(path, change.path) ? [line] : [],
  );
  const line = lines[blocks.indexOf(change)];
  if (line === undefined || lines.length !== blocks.length) return change;
  // One text may be the whole file, of which the line is within.
  const isPart = blocks.length > 1 || lengthOf(change) < line;
  return isPart ? { ...change, line } : change;
}

function lengthOf({ oldText, newText }: Change): number {
  return Math.max((oldText ?? '').split('\n').length, newText.split('\n').length);
}
