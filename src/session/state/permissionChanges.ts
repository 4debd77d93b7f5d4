/** What happens to the requests for permission of a chat. Pure. */
import type { SessionAction } from './actions';
import { parsedInput } from './commandInput';
import type { Preview } from './content';
import type { AskedCall, AskedField, NewRequest, PermissionRequest } from './permission';
import type { CutField, SessionState, ToolCallPart } from './state';
import { changeToolCall, findToolCall, withEnd } from './toolCalls';
import { isOpen } from './turns';

export function requestPermission(state: SessionState, request: NewRequest): SessionState {
  const next = { ...state, permissions: [...state.permissions, frozen(state, request)] };
  return changeToolCall(next, request.toolCallId, part => {
    const { endedAt: _, ...open } = part;
    return { ...open, status: 'awaiting' };
  });
}

/** With requests as they are now: version 0.1.0 wrote down no more than `NewRequest`. */
export function withAsked(state: SessionState): SessionState {
  const requests: readonly (NewRequest & Partial<PermissionRequest>)[] = state.permissions;
  return { ...state, permissions: requests.map(each => ({ ...frozen(state, each), ...each })) };
}

function frozen(state: SessionState, request: NewRequest): PermissionRequest {
  const asked = askedBy(state, request) ?? withReason(unknownCall(request), request);
  const { facts = {} } = request;
  return { ...request, title: asked.title || request.title, asked, facts, revision: 0 };
}

/**
 * What is asked stays as it was shown: where a call says something else now, its requests say so.
 * @param toolCallId the only call that can have changed, where that is known
 */
export function compareWithAsked(state: SessionState, toolCallId?: string): SessionState {
  if (state.permissions.length === 0) return state;
  const permissions = state.permissions.map(request => {
    if (toolCallId !== undefined && request.toolCallId !== toolCallId) return request;
    const now = askedBy(state, request);
    // A call that is left out of a long turn takes nothing back.
    if (!now) return request;
    const changed = differences(request.asked, now);
    if (changed.join() === (request.changed ?? []).join()) return request;
    const { changed: _, ...unchanged } = request;
    return changed.length === 0 ? unchanged : { ...unchanged, changed };
  });
  const isSame = permissions.every((request, index) => request === state.permissions[index]);
  return isSame ? state : { ...state, permissions };
}

export function reviewPermission(
  state: SessionState,
  action: Extract<SessionAction, { type: 'permissionReviewed' }>,
): SessionState {
  return changeRequest(state, action.requestId, request => {
    const asked = askedBy(state, request);
    if (!request.changed || !asked) return request;
    const { id, toolCallId, options, requestedAt, reason, revision } = request;
    const before = { title: request.title, asked: request.asked, facts: request.facts };
    return {
      ...{ id, toolCallId, options, requestedAt, before, asked, facts: action.facts },
      ...(reason && { reason }),
      title: asked.title || request.title,
      revision: revision + 1,
    };
  });
}

export function openPermission(
  state: SessionState,
  requestId: string,
  refs: readonly string[],
): SessionState {
  return changeRequest(state, requestId, request => {
    const opened = new Set([...(request.opened ?? []), ...refs]);
    return opened.size === (request.opened?.length ?? 0)
      ? request
      : { ...request, opened: [...opened] };
  });
}

export function answerPermission(
  state: SessionState,
  action: Extract<SessionAction, { type: 'permissionAnswered' }>,
): SessionState {
  const request = state.permissions.find(({ id }) => id === action.requestId);
  const toolCallId = request?.toolCallId ?? action.toolCallId;
  if (toolCallId === undefined) return state;
  const permissions = state.permissions.filter(other => other !== request);
  const answered = request ? { ...state, permissions } : state;
  const isAsked = permissions.some(other => other.toolCallId === toolCallId);
  return changeToolCall(answered, toolCallId, before => {
    const { note } = action;
    const part = note === undefined ? before : { ...before, note };
    if (isAsked || !isOpen(part.status)) return part;
    const status = STATUS_AFTER[action.outcome];
    // The time that the user took is not the tool's.
    const startedAt = status === 'running' ? action.at : part.startedAt;
    return withEnd({ ...part, status, startedAt } satisfies ToolCallPart, action.at);
  });
}

const STATUS_AFTER = {
  allowed: 'running',
  rejected: 'rejected',
  cancelled: 'cancelled',
} as const;

/** The call of that id as a request for it is shown now; undefined when the chat does not hold it. */
export function askedOf(state: SessionState, toolCallId: string): AskedCall | undefined {
  const call = findToolCall(state, toolCallId);
  if (!call) return undefined;
  const { title, toolKind, content, locations, rawInput, cut } = call;
  const shown = content.find(item => item.kind === 'terminal');
  const terminal = shown && own(state.terminals, shown.terminalId);
  return {
    title,
    toolKind,
    content,
    locations,
    ...(rawInput && { rawInput }),
    ...(terminal && {
      terminal: {
        command: terminal.command,
        ...(terminal.cwd !== undefined && { cwd: terminal.cwd }),
      },
    }),
    ...(cut && { cut }),
  };
}

function askedBy(state: SessionState, request: NewRequest): AskedCall | undefined {
  const call = askedOf(state, request.toolCallId);
  return call && withReason(call, request);
}

function withReason(call: AskedCall, { reason }: NewRequest): AskedCall {
  return reason ? { ...call, content: [reason, ...call.content] } : call;
}

function differences(asked: AskedCall, now: AskedCall): readonly AskedField[] {
  const cut = (field: CutField): boolean | undefined => now.cut?.includes(field);
  const fields: readonly (readonly [AskedField, boolean])[] = [
    ['title', asked.title === now.title && !cut('title')],
    ['kind', asked.toolKind === now.toolKind && !cut('kind')],
    ['content', same(asked.content, now.content)],
    ['locations', same(asked.locations, now.locations) && !cut('locations')],
    ['input', isSameInput(asked.rawInput, now.rawInput)],
    ['terminal', same(asked.terminal, now.terminal)],
  ];
  return fields.filter(([, isSame]) => !isSame).map(([field]) => field);
}

/** Beyond it two values count as different: the user is asked again. */
const MAX_DEPTH = 64;

/** Whether two pieces of the state say the same. A `ref` stands for one content only. */
function same(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > MAX_DEPTH || typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(key => same((a as Fields)[key], (b as Fields)[key], depth + 1));
}

type Fields = Readonly<Record<string, unknown>>;

/** In which order an agent sends the fields of an input does not matter. */
function isSameInput(asked: Preview | undefined, now: Preview | undefined): boolean {
  if (same(asked, now)) return true;
  if (!asked || !now || asked.truncated || now.truncated) return false;
  return same(parsedInput(asked.text), parsedInput(now.text));
}

function unknownCall({ title }: NewRequest): AskedCall {
  return { title, toolKind: 'other', content: [], locations: [] };
}

function changeRequest(
  state: SessionState,
  requestId: string,
  change: (request: PermissionRequest) => PermissionRequest,
): SessionState {
  const index = state.permissions.findIndex(({ id }) => id === requestId);
  const request = state.permissions[index];
  if (!request) return state;
  const changed = change(request);
  if (changed === request) return state;
  return { ...state, permissions: state.permissions.with(index, changed) };
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
