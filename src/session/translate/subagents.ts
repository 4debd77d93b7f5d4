/**
 * Subagents that agents report (unstable ACP: `subagent_update`): sessions of their own within the chat's.
 * Each is shown as a tool call that runs while it works, and what it says and does stands under that.
 */
import * as l10n from '@vscode/l10n';
import { fieldsOf } from '../../base/isRecord';
import type * as schema from '../../acp/schema/schema';
import { parentToolCallOf } from './parentCalls';
import { isAboutSession } from './updateTable';
import { subagentCallId } from '../state/background';
import type { SessionAction, ToolCallAction } from '../state/actions';
import type { Environment } from '../ports';
import type { SessionState, ToolStatus } from '../state/state';
import { callSpokenOf, findToolCall } from '../state/toolCalls';

/** Characters of what a subagent was asked that are shown. */
const MAX_INPUT = 64_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The tool call that an update stands under; undefined for what the agent itself says and does.
 * @param sessionId where the update came from: the chat's own session, or that of a subagent
 */
export function parentCallOf(
  state: SessionState,
  meta: unknown,
  sessionId: string | undefined,
): string | undefined {
  const reported = parentToolCallOf(meta);
  const isKnown = (id: string | undefined) => id !== undefined && findToolCall(state, id);
  const session = foreignCall(state, sessionId);
  if (session === undefined) return isKnown(reported) ? reported : undefined;
  const within = reported === undefined ? undefined : idUnder(session, reported);
  return [within, reported].find(isKnown) ?? session;
}

/** The call of the subagent whose session it is; undefined for the chat's own, and what is not known. */
function foreignCall(state: SessionState, sessionId: string | undefined): string | undefined {
  if (sessionId === undefined || sessionId === state.sessionId) return undefined;
  const call = subagentCallId(sessionId);
  return findToolCall(state, call) && call;
}

/**
 * The id in the chat of the call that agents call `toolCallId`. Subagents may count theirs by themselves: what is
 * another's already gets an id of its own.
 * @param reported whether it is announced, changed, or permission is asked for it
 * @param parent the call that it stands under
 */
export function callIdOf(
  state: SessionState,
  toolCallId: string,
  reported: Reported,
  parent: string | undefined,
  sessionId: string | undefined,
): string {
  const session = foreignCall(state, sessionId);
  if (session !== undefined) return idUnder(session, toolCallId);
  const own = idUnder(parent ?? '', toolCallId);
  const announced = reported !== 'changed';
  if (toolCallId === parent) return toolCallId;
  if (callSpokenOf(state, own, true, parent)) return own;
  const call = callSpokenOf(state, toolCallId, announced, parent);
  if (!call) return !announced && findToolCall(state, own) ? own : toolCallId;
  const { parentToolCallId: lane, status } = call;
  if (lane === parent) return toolCallId;
  const isSame =
    parent === undefined
      ? // Whatever is asked or changed may leave out where it belongs; what begins does not.
        reported !== 'announced'
      : // Where it belongs may be known later than what it is.
        lane === undefined && (!announced || status === 'awaiting');
  return isSame ? toolCallId : own;
}

export type Reported = 'announced' | 'changed' | 'asked';

function idUnder(parent: string, toolCallId: string): string {
  return `${parent}/${toolCallId}`;
}

/** `action` with what it says or does standing under that call. */
export function under(parentToolCallId: string, action: SessionAction): SessionAction {
  switch (action.type) {
    case 'toolCallChanged':
      if (action.toolCallId === parentToolCallId) return action;
      return { parentToolCallId, ...action };
    case 'chunkReceived':
    case 'contentReceived':
      return { parentToolCallId, ...action };
    default:
      return action;
  }
}

/** What a subagent reports of its session; undefined for what is shown as the agent's own is, under its call. */
export function subagentActions(
  state: SessionState,
  update: schema.SessionUpdate,
  sessionId: string,
  environment: Environment,
): readonly SessionAction[] | undefined {
  const toolCallId = subagentCallId(sessionId);
  if (!findToolCall(state, toolCallId)) return undefined;
  const fields: Fields = { ...update };
  switch (fields['sessionUpdate']) {
    case 'plan': {
      const { entries } = update as schema.Plan;
      const plan = { planId: toolCallId, kind: 'steps' as const, entries };
      return [{ type: 'namedPlanChanged', plan }];
    }
    case 'session_info_update': {
      const title = text(fields['title']);
      return title === undefined ? [] : [change(toolCallId, { title }, environment)];
    }
    // What it is asked to do, whoever says so.
    case 'user_message_chunk':
    case 'session_message_chunk':
      return [asked(state, toolCallId, textOf(fields['content']), environment)];
    case 'session_message': {
      const blocks: readonly unknown[] = Array.isArray(fields['content']) ? fields['content'] : [];
      return [asked(state, toolCallId, blocks.map(textOf).join(''), environment)];
    }
    default:
      return isAboutSession(update) ? [] : undefined;
  }
}

/** True for a message of which the sessions are named. */
export function isBetweenSessions(update: Fields): boolean {
  return [update['senderSessionId'], update['recipientSessionId']].some(
    id => text(id) !== undefined,
  );
}

/**
 * The tool call of a subagent; undefined when the update names none.
 */
export function subagentCall(
  state: SessionState,
  update: Fields,
  environment: Environment,
): ToolCallAction | undefined {
  const sessionId = text(update['sessionId']);
  if (sessionId === undefined) return undefined;
  const toolCallId = subagentCallId(sessionId);
  const known = findToolCall(state, toolCallId) !== undefined;
  // Null takes the title away; absent leaves it.
  const untitled = update['title'] === null || !known ? l10n.t('Subagent') : undefined;
  const title = text(update['title']) ?? untitled;
  const work = fieldsOf(update['state']);
  const status = statusOf(work);
  const problem = text(fieldsOf(work['error'])['message']);
  const lines = [text(update['description']), problem].filter(line => line !== undefined);
  return change(
    toolCallId,
    {
      ...(title !== undefined && { title }),
      toolKind: 'think',
      ...cancelsOf(update),
      ...(status && { status }),
      ...(lines.length > 0 && {
        content: lines.map(line => ({
          kind: 'block' as const,
          block: { kind: 'text' as const, text: { text: line, truncated: false } },
        })),
      }),
    },
    environment,
  );
}

function change(
  toolCallId: string,
  changed: Partial<ToolCallAction>,
  environment: Environment,
): ToolCallAction {
  return {
    ...changed,
    type: 'toolCallChanged',
    turnId: environment.newId(),
    partId: environment.newId(),
    toolCallId,
    announced: false,
    at: environment.now(),
  };
}

/** More of what the subagent was asked: the input of its call. */
function asked(
  state: SessionState,
  toolCallId: string,
  more: string,
  environment: Environment,
): ToolCallAction {
  const before = findToolCall(state, toolCallId)?.rawInput?.text ?? '';
  const whole = before + more;
  const rawInput = { text: whole.slice(0, MAX_INPUT), truncated: whole.length > MAX_INPUT };
  return change(toolCallId, { rawInput }, environment);
}

/** Whether the agent stops what the update is about when asked; absent leaves it as it was. */
export function cancelsOf(update: object): { readonly cancels?: boolean } {
  const { capabilities } = update as { readonly capabilities?: unknown };
  if (capabilities === undefined) return {};
  const { cancel } = fieldsOf(capabilities);
  return { cancels: typeof cancel === 'object' && cancel !== null };
}

/** An idle subagent is done with what it was asked; it runs again when it is asked more. */
function statusOf({ state, stopReason }: Fields): ToolStatus | undefined {
  switch (state) {
    case 'running':
    case 'requires_action':
      return 'running';
    case 'idle':
      if (stopReason === 'error') return 'failed';
      return stopReason === 'cancelled' ? 'cancelled' : 'completed';
    default:
      return undefined;
  }
}

function textOf(block: unknown): string {
  return text(fieldsOf(block)['text']) ?? '';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
