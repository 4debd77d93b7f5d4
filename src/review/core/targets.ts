import { assertNever } from '../../base/assertNever';
import type { Hunk, PendingFile, ReviewTarget, TurnRef } from '../model';

/** What of a file a decision is about. */
export type Meant =
  | { readonly kind: 'none' }
  | { readonly kind: 'file' }
  /** At least one. */
  | { readonly kind: 'hunks'; readonly hunks: readonly Hunk[] };

/** What of `file`, which is pending, a decision about `target` is about. */
export function meantOf(
  file: Pick<PendingFile, 'path' | 'hunks' | 'turns'>,
  target: ReviewTarget,
): Meant {
  switch (target.kind) {
    case 'hunk':
      return file.path === target.path ? someOf(file, ({ id }) => id === target.hunkId) : NONE;
    case 'hunks':
      return file.path === target.path
        ? someOf(file, ({ id }) => target.hunkIds.includes(id))
        : NONE;
    case 'file':
      return file.path === target.path ? WHOLE : NONE;
    case 'files':
      return target.paths.includes(file.path) ? WHOLE : NONE;
    case 'turn': {
      const { chatId, turnId } = target.turn;
      return ofTurns(file, turn => turn.chatId === chatId && turn.turnId === turnId);
    }
    case 'chat':
      return ofTurns(file, ({ chatId }) => chatId === target.chatId);
    case 'all':
      return WHOLE;
    default:
      return assertNever(target);
  }
}

const NONE: Meant = { kind: 'none' };
const WHOLE: Meant = { kind: 'file' };

function someOf({ hunks }: Pick<PendingFile, 'hunks'>, isMeant: (hunk: Hunk) => boolean): Meant {
  const meant = hunks.filter(isMeant);
  return meant.length > 0 ? { kind: 'hunks', hunks: meant } : NONE;
}

/** Of a file where all is of these turns, the file: what it was before, its name too. */
function ofTurns(
  { hunks, turns }: Pick<PendingFile, 'hunks' | 'turns'>,
  isMeant: (turn: TurnRef) => boolean,
): Meant {
  if (!turns.some(isMeant)) return NONE;
  const meant = hunks.filter(hunk => hunk.turns.some(isMeant));
  return meant.length === hunks.length ? WHOLE : { kind: 'hunks', hunks: meant };
}
