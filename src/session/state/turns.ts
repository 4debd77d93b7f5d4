/** Where parts go, and how turns open and close. Pure; used by the reducer alone. */
import { appended, laneOf, lastOfLane, replaced } from './partIndex';
import type {
  NoticeAction,
  Part,
  SessionState,
  ToolCallPart,
  ToolStatus,
  Turn,
  TurnEnd,
} from './state';
import { goneOn } from './workTime';

/**
 * A turn is open until it has an end time. Outside a prompt the open turn is the one that a replay, or an
 * agent speaking unasked, began.
 */
export function openTurn(state: SessionState): Turn | undefined {
  if (state.activeTurn) return state.activeTurn;
  const last = state.turns.at(-1);
  return last?.endedAt === undefined ? last : undefined;
}

/** Applies `change` to the open turn, making one named `turnId` when there is none. */
export function inOpenTurn(
  state: SessionState,
  turnId: string,
  at: number,
  change: (turn: Turn) => Turn,
): SessionState {
  const open = openTurn(state);
  if (!open) {
    const made = change({ id: turnId, parts: [], startedAt: at });
    return { ...state, turns: [...state.turns, made] };
  }
  return replaceTurn(state, open, change(open));
}

/** `state` with `before` (the active turn, or one of the others) replaced. */
export function replaceTurn(state: SessionState, before: Turn, after: Turn): SessionState {
  if (before === after) return state;
  if (state.activeTurn === before) return { ...state, activeTurn: after };
  const index = state.turns.lastIndexOf(before);
  return { ...state, turns: state.turns.with(index, after) };
}

const MAX_REPLAYED = 5_000;

/** A turn of the user's in a replay, or the end of the previous open one. */
export function openReplayedTurn(state: SessionState, turn: Turn): SessionState {
  const closed = closeOpenTurn(state, turn.startedAt);
  // Of a replay without end the latest turns are kept.
  return { ...closed, turns: [...closed.turns.slice(1 - MAX_REPLAYED), turn] };
}

/** Closes what an agent said outside a prompt. */
export function closeOpenTurn(state: SessionState, at: number): SessionState {
  const last = state.turns.at(-1);
  if (!last || last.endedAt !== undefined) return state;
  return replaceTurn(state, last, { ...last, parts: closeThoughts(last.parts, at), endedAt: at });
}

export function withPart(turn: Turn, part: Part, at: number): Turn {
  const index = lastOfLane(turn.parts, laneOf(part));
  const last = turn.parts[index];
  const parts =
    last?.kind === 'thought' && last.endedAt === undefined
      ? replaced(turn.parts, index, { ...last, endedAt: at })
      : turn.parts;
  return { ...turn, parts: appended(parts, part) };
}

function closeThoughts(parts: readonly Part[], at: number): readonly Part[] {
  const isOpenThought = (part: Part) => part.kind === 'thought' && part.endedAt === undefined;
  if (!parts.some(isOpenThought)) return parts;
  return parts.map(part => (isOpenThought(part) ? { ...part, endedAt: at } : part));
}

/** Ends the active turn: thoughts close, and no tool call keeps running. */
export function endTurn(turn: Turn, end: TurnEnd, at: number): Turn {
  const parts = closeToolCalls(closeThoughts(turn.parts, at), at, part => statusAfter(part, end));
  return {
    ...goneOn(turn, at),
    parts: withoutAction(parts, 'forceStop').map(part =>
      part.kind === 'tool' && part.endedAt === undefined ? { ...part, endedAt: at } : part,
    ),
    endedAt: at,
    end,
  };
}

/** Two windows may have begun a turn each: the one that comes first in the history is a turn as well. */
export function withoutActiveTurn(state: SessionState, at: number): SessionState {
  const { activeTurn, ...rest } = state;
  if (!activeTurn) return state;
  return { ...rest, turns: [...state.turns, endTurn(activeTurn, { reason: 'interrupted' }, at)] };
}

/** What comes next takes the place of trying the last prompt again. */
export function withoutRetry(state: SessionState): SessionState {
  const last = state.turns.findLast(({ prompt }) => prompt !== undefined);
  if (!last) return state;
  const parts = withoutAction(last.parts, 'retry');
  return parts === last.parts ? state : replaceTurn(state, last, { ...last, parts });
}

/** Notices offer only what still makes sense. */
function withoutAction(parts: readonly Part[], gone: NoticeAction): readonly Part[] {
  const offers = (part: Part) => part.kind === 'notice' && part.actions.includes(gone);
  if (!parts.some(offers)) return parts;
  return parts.map(part =>
    part.kind === 'notice' && offers(part)
      ? { ...part, actions: part.actions.filter(action => action !== gone) }
      : part,
  );
}

/** `part` as the end of its turn leaves it. */
export function closed(part: ToolCallPart, end: TurnEnd | undefined, at: number): ToolCallPart {
  return isOpen(part.status) ? { ...part, status: statusAfter(part, end), endedAt: at } : part;
}

function statusAfter({ status }: ToolCallPart, end: TurnEnd | undefined): ToolStatus {
  return end?.reason === 'end_turn' && status === 'running' ? 'completed' : 'cancelled';
}

/**
 * Gives every tool call that is still open the status `statusOf` says.
 * @param at when they ended; undefined when that is still to come.
 */
export function closeToolCalls(
  parts: readonly Part[],
  at: number | undefined,
  statusOf: (part: ToolCallPart) => ToolStatus,
): readonly Part[] {
  if (!parts.some(part => part.kind === 'tool' && isOpen(part.status))) return parts;
  return parts.map(part =>
    part.kind === 'tool' && isOpen(part.status)
      ? { ...part, status: statusOf(part), ...(at !== undefined && { endedAt: at }) }
      : part,
  );
}

/** True while a tool call may still change by itself. */
export function isOpen(status: ToolStatus): boolean {
  return status === 'pending' || status === 'awaiting' || status === 'running';
}
