/** What `tool_call`, `tool_call_update` and `request_permission.toolCall` mean: an upsert by id. Pure. */
import type { ToolCallAction } from './actions';
import { lastOfCall, replaced } from './partIndex';
import type { SessionState, ToolCallPart, ToolStatus, Turn } from './state';
import { closed, inOpenTurn, isOpen, replaceTurn, withPart } from './turns';

export function applyToolCall(state: SessionState, action: ToolCallAction): SessionState {
  const { toolCallId, announced, parentToolCallId: parent } = action;
  const turn = turnOfCall(state, toolCallId, announced, parent);
  if (turn) {
    return updateToolCall(state, turn, toolCallId, part =>
      placed(turn, merge(part, action), parent),
    );
  }
  return inTurnOfLane(state, action, open => {
    const call = placed(open, merge(newCall(action), action), parent);
    return withPart(open, action.late ? closed(call, open.end, action.at) : call, action.at);
  });
}

/**
 * As `inOpenTurn`; what a subagent does belongs to the turn that began it, also when that has ended, and so does
 * what is reported late.
 */
export function inTurnOfLane(
  state: SessionState,
  action: {
    readonly turnId: string;
    readonly late?: true;
    readonly parentToolCallId?: string;
    readonly at: number;
  },
  change: (turn: Turn) => Turn,
): SessionState {
  const { parentToolCallId: parent, late, turnId } = action;
  const turn =
    parent !== undefined
      ? latestTurnWith(state, parent)
      : late && state.turns.findLast(({ id }) => id === turnId);
  return turn
    ? replaceTurn(state, turn, change(turn))
    : inOpenTurn(state, action.turnId, action.at, change);
}

/** The lane that a part is for: the agent's own when the turn does not hold the call that it names. */
export function laneIn(turn: Turn, parentToolCallId: string | undefined): string | undefined {
  return parentToolCallId !== undefined && callIn(turn, parentToolCallId)
    ? parentToolCallId
    : undefined;
}

/** `laneIn` as the field of a part. */
export function lane(
  turn: Turn,
  action: { readonly parentToolCallId?: string },
): { readonly parentToolCallId?: string } {
  const parentToolCallId = laneIn(turn, action.parentToolCallId);
  return parentToolCallId === undefined ? {} : { parentToolCallId };
}

/** `part` under its parent, unless it is there already, or the parent stands under it. */
function placed(turn: Turn, part: ToolCallPart, parent: string | undefined): ToolCallPart {
  const lane = laneIn(turn, parent);
  if (lane === undefined || part.parentToolCallId !== undefined) return part;
  for (let above: string | undefined = lane; above !== undefined;) {
    if (above === part.toolCallId) return part;
    above = callIn(turn, above)?.parentToolCallId;
  }
  return { ...part, parentToolCallId: lane };
}

/** Applies `change` to the latest call of that id. */
export function changeToolCall(
  state: SessionState,
  toolCallId: string,
  change: (part: ToolCallPart) => ToolCallPart,
): SessionState {
  const turn = latestTurnWith(state, toolCallId);
  return turn ? updateToolCall(state, turn, toolCallId, change) : state;
}

/**
 * The call that a message about `toolCallId` speaks of; undefined when it begins a new one.
 * @param parent the call that it stands under
 */
export function callSpokenOf(
  state: SessionState,
  toolCallId: string,
  announced: boolean,
  parent?: string,
): ToolCallPart | undefined {
  const turn = turnOfCall(state, toolCallId, announced, parent);
  return turn && callIn(turn, toolCallId);
}

/** The latest call of that id, wherever it is. */
export function findToolCall(state: SessionState, toolCallId: string): ToolCallPart | undefined {
  const turn = latestTurnWith(state, toolCallId);
  return turn && callIn(turn, toolCallId);
}

/**
 * Ids are reused in later turns: an announcement belongs to the turn that is open, or to its subagent's. A bare update belongs
 * to the latest call of its id, also when its turn has ended.
 */
function turnOfCall(
  state: SessionState,
  toolCallId: string,
  announced: boolean,
  parent?: string,
): Turn | undefined {
  if (!announced) return latestTurnWith(state, toolCallId);
  const begun = parent === undefined ? undefined : latestTurnWith(state, parent);
  if (begun) return callIn(begun, toolCallId) && begun;
  const open = state.activeTurn ?? state.turns.at(-1);
  if (!open || (open !== state.activeTurn && open.endedAt !== undefined)) return undefined;
  return callIn(open, toolCallId) && open;
}

function latestTurnWith(state: SessionState, toolCallId: string): Turn | undefined {
  if (state.activeTurn && callIn(state.activeTurn, toolCallId)) return state.activeTurn;
  return state.turns.findLast(turn => callIn(turn, toolCallId));
}

function callIn(turn: Turn, toolCallId: string): ToolCallPart | undefined {
  return turn.parts[lastOfCall(turn.parts, toolCallId)] as ToolCallPart | undefined;
}

function updateToolCall(
  state: SessionState,
  turn: Turn,
  toolCallId: string,
  change: (part: ToolCallPart) => ToolCallPart,
): SessionState {
  const index = lastOfCall(turn.parts, toolCallId);
  const before = turn.parts[index] as ToolCallPart;
  const after = change(before);
  if (after === before) return state;
  return replaceTurn(state, turn, { ...turn, parts: replaced(turn.parts, index, after) });
}

function newCall(action: ToolCallAction): ToolCallPart {
  return {
    kind: 'tool',
    id: action.partId,
    toolCallId: action.toolCallId,
    title: '',
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    startedAt: action.at,
  };
}

function merge(part: ToolCallPart, action: ToolCallAction): ToolCallPart {
  const status = nextStatus(part.status, action.status);
  const merged: ToolCallPart = {
    ...part,
    title: action.title ?? part.title,
    toolKind: action.toolKind ?? part.toolKind,
    status,
    content: action.content ?? part.content,
    locations: action.locations ?? part.locations,
    ...(action.rawInput && { rawInput: action.rawInput }),
    ...(action.rawOutput && { rawOutput: action.rawOutput }),
  };
  return withEnd(withCancels(withCut(merged, part, action), action), action.at);
}

function withCancels(part: ToolCallPart, { cancels }: ToolCallAction): ToolCallPart {
  if (cancels === undefined) return part;
  const { cancels: _, ...rest } = part;
  return cancels ? { ...rest, cancels } : rest;
}

/** A field that comes again is no longer cut, unless it is too much again. */
function withCut(merged: ToolCallPart, part: ToolCallPart, action: ToolCallAction): ToolCallPart {
  if (!part.cut && !action.cut) return merged;
  const { title, toolKind: kind, locations } = action;
  const again = { title, kind, locations };
  const still = (part.cut ?? []).filter(field => again[field] === undefined);
  const cut = [...new Set([...still, ...(action.cut ?? [])])];
  const { cut: _, ...whole } = merged;
  return cut.length === 0 ? whole : { ...whole, cut };
}

/** Sets or removes the end time as the status asks. */
export function withEnd(part: ToolCallPart, at: number): ToolCallPart {
  if (!isOpen(part.status)) return part.endedAt === undefined ? { ...part, endedAt: at } : part;
  const { endedAt, ...open } = part;
  return endedAt === undefined ? part : open;
}

/**
 * The user's word stands against progress: a call that was rejected or cancelled, or waits for an answer,
 * does not go back to running because the agent says so late. But what did happen is shown: a result
 * (completed) always counts, and so does a failure unless the user's own decision explains it.
 */
function nextStatus(current: ToolStatus, next: ToolStatus | undefined): ToolStatus {
  if (next === undefined || next === current) return current;
  switch (current) {
    case 'awaiting':
      return isOpen(next) ? current : next;
    case 'rejected':
    case 'cancelled':
      return next === 'completed' ? next : current;
    case 'pending':
    case 'running':
    case 'completed':
    case 'failed':
      return next;
  }
}
