import type { FileContent } from '../model';
import { redo, type Undone } from './decisions';
import { changesTo } from './edits';
import type { FileReview } from './fileReview';
import { linesOf, sameContent } from './lines';
import { slice } from './ranges';

/** The file with all of `parts` in it again; undefined when one has no place any more. */
export function redoAll(review: FileReview, parts: readonly Undone[]): FileReview | undefined {
  // From the last to the first: places of the ones before stay what they are.
  return parts.reduceRight<FileReview | undefined>(
    (now, undone) => now && redo(now, undone),
    review,
  );
}

/**
 * The file with what one undo took out of it, where that comes back as the file becomes `current`: the user took the
 * undo back with the editor's own, say, or gave up unsaved text. Undefined where it does not.
 */
export function comesBack(
  parts: readonly Undone[],
  review: FileReview,
  current: FileContent,
): FileReview | undefined {
  if (parts.length === 0 || !mayComeBack(parts, review, current)) return undefined;
  const again = redoAll(review, parts);
  // A file that was moved is more than its text.
  if (!again || again.renamedFrom !== undefined) return undefined;
  return sameContent(again.current, current) || standsIn(parts, review, current)
    ? again
    : undefined;
}

/**
 * Cheap to ask, since it is asked while the user types. Only text that agents wrote counts: lines
 * that they took out, or files that they made, the user may well take out or make by hand.
 */
function mayComeBack(parts: readonly Undone[], review: FileReview, current: FileContent): boolean {
  if (sameContent(review.current, current)) return false;
  const now = linesOf(current);
  return parts.every(undone => {
    if (undone.kind === 'file') {
      return undone.after.kind === 'text' && sameContent(undone.before.current, current);
    }
    const [first] = undone.removed;
    const isWritten = undone.removed.some(line => line.trim() !== '');
    return isWritten && first !== undefined && now.includes(first);
  });
}

/** Each part, whatever else is changed elsewhere in the file. */
function standsIn(parts: readonly Undone[], review: FileReview, current: FileContent): boolean {
  const changes = changesTo(review, current);
  const now = linesOf(current);
  return parts.every(
    undone =>
      undone.kind === 'lines' &&
      changes.some(
        ({ before, after }) =>
          before.start === undone.at.start &&
          before.count === undone.at.count &&
          slice(now, after).join('') === undone.removed.join(''),
      ),
  );
}
