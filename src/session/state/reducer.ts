/**
 * The one function that changes a chat. Pure: no clock, no ids, no exceptions; the same reference comes
 * back when nothing changed. Host and webviews run it on the same actions.
 */
import { terminalOf } from './selectors';
import { assertNever } from '../../base/assertNever';
import type { SessionAction } from './actions';
import { placeDiffs } from './diffLines';
import {
  endElicitation,
  openElicitation,
  refuseElicitation,
  requestElicitation,
} from './elicitationChanges';
import { applyNotice, continueNotice, leaveOutParts } from './notices';
import { changeNamedPlan, finishPlans, removeNamedPlan } from './plans';
import {
  answerPermission,
  compareWithAsked,
  openPermission,
  requestPermission,
  reviewPermission,
} from './permissionChanges';
import { withMessageMoved, withoutMessage } from './queue';
import type { Attachment, Listed, Message, SessionState, Terminal } from './state';
import { MAX_TERMINAL_OUTPUT, MAX_TERMINALS } from './terminalLimits';
import { returnSteering, steerTurn, takeSteering } from './steering';
import { applyChunk, applyUserContent } from './streams';
import { applyToolCall, inTurnOfLane, lane } from './toolCalls';
import {
  closeOpenTurn,
  closeToolCalls,
  endTurn,
  replaceTurn,
  withoutActiveTurn,
  withoutRetry,
  withPart,
} from './turns';
import { withWaiting } from './workTime';

export function reduce(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case 'connectionChanged': {
      const { connection } = action;
      const { background: _, ...rest } = state;
      return connection.kind === 'ready' ? { ...state, connection } : { ...rest, connection };
    }
    case 'agentIdentified': {
      const { title, version, place, capabilities } = action;
      const agent = {
        name: state.agent.name,
        ...(title !== undefined && { title }),
        ...(version !== undefined && { version }),
        ...(place !== undefined && { place }),
        capabilities,
      };
      return { ...state, agent };
    }
    case 'sessionStarted': {
      const { archivedByAgent: _, ...rest } = state;
      return { ...rest, sessionId: action.sessionId };
    }
    case 'titleChanged':
      return changeTitle(state, action.title, action.byUser);
    case 'listedChanged':
      return changeListed(state, action.listed);
    case 'agentArchived': {
      const { archivedByAgent: _, ...rest } = state;
      return action.isArchived ? { ...rest, archivedByAgent: true } : rest;
    }
    case 'transcriptCleared': {
      const { activeTurn: _, plan: __, plans: ___, ...rest } = state;
      return {
        ...rest,
        turns: [],
        permissions: [],
        elicitations: [],
        terminals: {},
        cancelling: false,
      };
    }
    case 'transcriptRestored': {
      const { plan: _, plans: __, ...rest } = state;
      const { turns, terminals, plan, plans } = action;
      return { ...rest, turns, terminals, ...(plan && { plan }), ...(plans && { plans }) };
    }
    case 'transcriptRewound':
      return rewind(state, action.turnId);
    case 'turnStarted':
      return {
        ...withoutRetry(closeOpenTurn(withoutActiveTurn(inUse(state), action.at), action.at)),
        activeTurn: { id: action.turnId, prompt: action.prompt, parts: [], startedAt: action.at },
        cancelling: false,
      };
    case 'messageSteered':
      return steerTurn(state, action.message, action.at);
    case 'steeringTaken':
      return takeSteering(state, action.messageId);
    case 'steeringReturned':
      return returnSteering(state, action.messageId);
    case 'cancelRequested':
      return cancelTurn(state);
    case 'turnEnded':
      return finishTurn(state, action);
    case 'chunkReceived':
      return applyChunk(state, action);
    case 'contentReceived':
      return inTurnOfLane(state, action, turn => {
        const { partId: id, block, at } = action;
        return withPart(turn, { kind: 'content', id, block, ...lane(turn, action) }, at);
      });
    case 'userContentReceived':
      return applyUserContent(state, action);
    case 'toolCallChanged':
      return compareWithAsked(applyToolCall(state, action), action.toolCallId);
    case 'diffsPlaced':
      return placeDiffs(state, action);
    case 'noticeAdded':
      return applyNotice(state, action);
    case 'partsLeftOut':
      return leaveOutParts(state, action);
    case 'noticeContinued':
      return continueNotice(state, action.key, action.text);
    case 'planChanged': {
      const { plan: _, ...rest } = state;
      return action.entries.length ? { ...rest, plan: action.entries } : rest;
    }
    case 'namedPlanChanged':
      return changeNamedPlan(state, action.plan);
    case 'namedPlanRemoved':
      return removeNamedPlan(state, action.planId);
    case 'permissionRequested':
      return withWaiting(requestPermission(state, action.request), action.request.requestedAt);
    case 'permissionReviewed':
      return reviewPermission(state, action);
    case 'permissionOpened':
      return openPermission(state, action.requestId, action.refs);
    case 'permissionAnswered':
      return withWaiting(answerPermission(state, action), action.at);
    case 'elicitationRequested':
      return withWaiting(
        requestElicitation(state, action.elicitation),
        action.elicitation.requestedAt,
      );
    case 'elicitationRefused':
      return refuseElicitation(state, action.requestId, action.problems);
    case 'elicitationOpened':
      return openElicitation(state, action.requestId);
    case 'elicitationEnded':
      return withWaiting(endElicitation(state, action.requestId, action.at), action.at);
    case 'terminalStarted': {
      const { terminalId, command, cwd, owned, at } = action;
      const known = terminalOf(state, terminalId);
      const started = withTerminal(known ? state : withRoomForTerminal(state), {
        id: terminalId,
        output: known?.output ?? '',
        truncated: known?.truncated ?? false,
        startedAt: known?.startedAt ?? at,
        command: command || (known?.command ?? ''),
        ...(cwd !== undefined && { cwd }),
        owned,
        ...((action.cancels ?? known?.cancels) && { cancels: true }),
        ...(action.takesInput && { takesInput: true }),
      });
      return compareWithAsked(started);
    }
    case 'terminalOutput':
      return changeTerminal(state, action.terminalId, terminal => {
        const { data, replaces, dropped = false, at } = action;
        const { screen: shown, ...rest } = terminal;
        const screen = action.screen ?? shown;
        const before = replaces || dropped ? { output: '', truncated: dropped } : terminal;
        if (before === terminal && data === '' && action.screen === undefined) return terminal;
        return { ...rest, ...tail(before, data), ...(screen && { screen }), lastOutputAt: at };
      });
    case 'terminalExited':
      return changeTerminal(state, action.terminalId, terminal => ({
        ...terminal,
        exit: action.exit,
        endedAt: action.at,
      }));
    case 'commandsChanged':
      return { ...state, commands: action.commands };
    case 'configChanged':
      return { ...state, configOptions: action.options };
    case 'configValueChanged':
      return setConfigValue(state, action.optionId, action.value);
    case 'backgroundChanged': {
      const { background: _, ...rest } = state;
      return action.items.length > 0 ? { ...rest, background: action.items } : rest;
    }
    case 'usageChanged':
      return { ...state, usage: { ...state.usage, ...action.usage } };
    case 'draftTyped':
      if (state.draft.text === action.text) return state;
      return { ...state, draft: { ...state.draft, text: action.text } };
    case 'draftReplaced':
      return {
        ...state,
        draft: {
          text: action.text,
          attachments: action.attachments,
          revision: state.draft.revision + 1,
        },
      };
    case 'attachmentAdded':
      return withAttachments(state, withAttachment(state.draft.attachments, action.attachment));
    case 'attachmentRemoved':
      return withAttachments(
        state,
        state.draft.attachments.filter(({ id }) => id !== action.attachmentId),
      );
    case 'messageQueued':
      return { ...state, queue: [...state.queue, action.message] };
    case 'messageUnqueued':
      return withQueue(state, withoutMessage(state.queue, action.messageId));
    case 'messageMoved':
      return withQueue(state, withMessageMoved(state.queue, action.messageId, action.before));
    default:
      return assertNever(action);
  }
}

function changeTitle(state: SessionState, title?: string, byUser?: true): SessionState {
  if (state.titledByUser && !byUser) return state;
  if (state.title === title && state.titledByUser === byUser) return state;
  const { title: _, titledByUser: __, ...untitled } = state;
  if (title === undefined) return untitled;
  return { ...untitled, title, ...(byUser && { titledByUser: byUser }) };
}

function changeListed(state: SessionState, listed: Listed | undefined): SessionState {
  if (state.listed === listed) return state;
  const { listed: _, ...rest } = state;
  return listed === undefined ? rest : { ...rest, listed };
}

/** What is worked in again is not put away any more. */
function inUse(state: SessionState): SessionState {
  return state.listed === 'archived' ? changeListed(state, undefined) : state;
}

function rewind(state: SessionState, turnId: string): SessionState {
  const index = state.turns.findIndex(({ id }) => id === turnId);
  if (index < 0 || state.activeTurn) return state;
  const { sessionId: _, plan: __, plans: ___, usage: ____, ...rest } = state;
  return { ...rest, turns: state.turns.slice(0, index), permissions: [] };
}

// ── turns ────────────────────────────────────────────────────────────────────────────────────────────

function cancelTurn(state: SessionState): SessionState {
  const turn = state.activeTurn;
  if (!turn || state.cancelling) return state;
  // The times of the calls are set when the turn ends; what counts now is that nothing looks busy.
  const parts = closeToolCalls(turn.parts, undefined, () => 'cancelled');
  return { ...replaceTurn(state, turn, { ...turn, parts }), cancelling: true };
}

function finishTurn(
  state: SessionState,
  action: Extract<SessionAction, { type: 'turnEnded' }>,
): SessionState {
  const { activeTurn } = state;
  if (!activeTurn) return state;
  const { tokens } = action;
  const turn = {
    ...endTurn(activeTurn, action.end, action.at),
    ...(tokens !== undefined && { tokens }),
  };
  const { rest, parts } = finishPlans(state, turn.parts, action.planPartId);
  const { activeTurn: _, ...idle } = rest;
  return { ...idle, turns: [...state.turns, { ...turn, parts }], cancelling: false };
}

// ── terminals ────────────────────────────────────────────────────────────────────────────────────────

function changeTerminal(
  state: SessionState,
  id: string,
  change: (terminal: Terminal) => Terminal,
): SessionState {
  const terminal = terminalOf(state, id);
  if (!terminal) return state;
  const changed = change(terminal);
  return changed === terminal ? state : withTerminal(state, changed);
}

function withTerminal(state: SessionState, terminal: Terminal): SessionState {
  return { ...state, terminals: { ...state.terminals, [terminal.id]: terminal } };
}

/** Of very many commands the oldest are forgotten: their cards say so by having nothing to show. */
function withRoomForTerminal(state: SessionState): SessionState {
  const ids = Object.keys(state.terminals);
  if (ids.length < MAX_TERMINALS) return state;
  const kept = ids.slice(ids.length - MAX_TERMINALS + 1).map(id => [id, state.terminals[id]]);
  return { ...state, terminals: Object.fromEntries(kept) as SessionState['terminals'] };
}

function tail(
  { output, truncated }: Pick<Terminal, 'output' | 'truncated'>,
  data: string,
): { readonly output: string; readonly truncated: boolean } {
  const whole = output + data;
  if (whole.length <= MAX_TERMINAL_OUTPUT) return { output: whole, truncated };
  const start = whole.length - MAX_TERMINAL_OUTPUT;
  const code = whole.charCodeAt(start);
  const inPair = code >= 0xdc00 && code <= 0xdfff;
  return { output: whole.slice(inPair ? start + 1 : start), truncated: true };
}

// ── settings and composer ────────────────────────────────────────────────────────────────────────────

function setConfigValue(
  state: SessionState,
  optionId: string,
  value: string | boolean,
): SessionState {
  const index = state.configOptions.findIndex(({ id }) => id === optionId);
  const option = state.configOptions[index];
  if (!option || option.value === value) return state;
  if (option.type === 'select' && typeof value === 'string') {
    return { ...state, configOptions: state.configOptions.with(index, { ...option, value }) };
  }
  if (option.type === 'boolean' && typeof value === 'boolean') {
    return { ...state, configOptions: state.configOptions.with(index, { ...option, value }) };
  }
  return state;
}

/** A word of the text stands for one thing: the latest. */
function withAttachment(
  attachments: readonly Attachment[],
  added: Attachment,
): readonly Attachment[] {
  const others = attachments.filter(
    ({ mention }) => mention === undefined || mention !== added.mention,
  );
  return [...others, added];
}

function withQueue(state: SessionState, queue: readonly Message[]): SessionState {
  return queue === state.queue ? state : { ...state, queue };
}

function withAttachments(state: SessionState, attachments: readonly Attachment[]): SessionState {
  return { ...state, draft: { ...state.draft, attachments } };
}
