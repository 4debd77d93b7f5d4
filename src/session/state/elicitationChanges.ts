/** What happens to forms and pages that an agent asks for. Pure; used by the reducer alone. */
import type { Elicitation, ElicitationForm } from './elicitation';
import type { SessionState } from './state';
import { changeToolCall } from './toolCalls';
import { isOpen } from './turns';

export function requestElicitation(state: SessionState, elicitation: Elicitation): SessionState {
  const waiting = { ...state, elicitations: [...state.elicitations, elicitation] };
  const { toolCallId } = elicitation;
  if (toolCallId === undefined) return waiting;
  return changeToolCall(waiting, toolCallId, part =>
    isOpen(part.status) ? { ...part, status: 'awaiting' } : part,
  );
}

export function refuseElicitation(
  state: SessionState,
  requestId: string,
  problems: ElicitationForm['problems'] & object,
): SessionState {
  return change(state, requestId, elicitation =>
    elicitation.kind === 'form' ? { ...elicitation, problems } : elicitation,
  );
}

export function openElicitation(state: SessionState, requestId: string): SessionState {
  const opened = change(state, requestId, elicitation =>
    elicitation.kind === 'page' ? { ...elicitation, opened: true } : elicitation,
  );
  return opened;
}

/** @param at the time that the user took is not the tool's: it counts from here. */
export function endElicitation(state: SessionState, requestId: string, at: number): SessionState {
  const ended = state.elicitations.find(({ id }) => id === requestId);
  if (!ended) return state;
  const elicitations = state.elicitations.filter(other => other !== ended);
  const { toolCallId } = ended;
  const answered = { ...state, elicitations };
  const waits = [...elicitations, ...state.permissions].some(
    other => other.toolCallId === toolCallId,
  );
  if (toolCallId === undefined || waits) return answered;
  return changeToolCall(answered, toolCallId, part =>
    part.status === 'awaiting' ? { ...part, status: 'running', startedAt: at } : part,
  );
}

function change(
  state: SessionState,
  requestId: string,
  apply: (elicitation: Elicitation) => Elicitation,
): SessionState {
  const index = state.elicitations.findIndex(({ id }) => id === requestId);
  const before = state.elicitations[index];
  if (!before) return state;
  const after = apply(before);
  return after === before
    ? state
    : { ...state, elicitations: state.elicitations.with(index, after) };
}
