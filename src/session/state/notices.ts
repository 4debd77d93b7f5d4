/** Notices in the transcript, and the few that change in place. Pure; used by the reducer alone. */
import type { SessionAction } from './actions';
import type { NoticePart, SessionState, Turn } from './state';
import { inOpenTurn, replaceTurn, withPart } from './turns';

/** A new notice; one with a key takes the place of the latest with that key, and keeps its body. */
export function applyNotice(
  state: SessionState,
  action: Extract<SessionAction, { type: 'noticeAdded' }>,
): SessionState {
  const { partId, level, text, detail, key, body, actions } = action;
  const notice: NoticePart = {
    kind: 'notice',
    id: partId,
    level,
    text,
    ...(detail !== undefined && { detail }),
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
    actions,
  };
  const changed =
    key === undefined
      ? undefined
      : changeNotice(state, key, before => ({
          ...notice,
          id: before.id,
          ...(body === undefined && before.body !== undefined && { body: before.body }),
        }));
  return (
    changed ??
    inOpenTurn(state, action.turnId, action.at, turn => withPart(turn, notice, action.at))
  );
}

/** A turn that is too long loses its first parts to one notice. */
export function leaveOutParts(
  state: SessionState,
  { turnId, count, partId, text }: Extract<SessionAction, { type: 'partsLeftOut' }>,
): SessionState {
  const { activeTurn } = state;
  const turn =
    activeTurn?.id === turnId ? activeTurn : state.turns.findLast(({ id }) => id === turnId);
  if (!turn || count <= 0) return state;
  const notice: NoticePart = { kind: 'notice', id: partId, level: 'info', text, actions: [] };
  return replaceTurn(state, turn, { ...turn, parts: [notice, ...turn.parts.slice(count)] });
}

/** Adds to the body of the latest notice of that key; without one there is nothing to add to. */
export function continueNotice(state: SessionState, key: string, text: string): SessionState {
  if (text === '') return state;
  const changed = changeNotice(state, key, notice => ({
    ...notice,
    body: (notice.body ?? '') + text,
  }));
  return changed ?? state;
}

/** True when a notice of that key is there to be changed. */
export function hasNotice(state: SessionState, key: string): boolean {
  return turnWith(state, key) !== undefined;
}

/** Undefined when there is no notice of that key. */
function changeNotice(
  state: SessionState,
  key: string,
  change: (notice: NoticePart) => NoticePart,
): SessionState | undefined {
  const turn = turnWith(state, key);
  if (!turn) return undefined;
  const index = indexIn(turn, key);
  const part = turn.parts[index];
  if (part?.kind !== 'notice') return undefined;
  return replaceTurn(state, turn, { ...turn, parts: turn.parts.with(index, change(part)) });
}

function turnWith(state: SessionState, key: string): Turn | undefined {
  if (state.activeTurn && indexIn(state.activeTurn, key) >= 0) return state.activeTurn;
  return state.turns.findLast(turn => indexIn(turn, key) >= 0);
}

function indexIn(turn: Turn, key: string): number {
  return turn.parts.findLastIndex(part => part.kind === 'notice' && part.key === key);
}
