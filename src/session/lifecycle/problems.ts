/** What went wrong with a session, in the user's words. (Processes have theirs in `agents/problems.ts`.) */
import * as l10n from '@vscode/l10n';
import { meaningOf } from './errorMeaning';
import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import { nextStep } from './nextSteps';
import type { Problem } from '../state/state';
import { withoutEscapes } from '../../base/escapeSequences';
import { boundedText } from '../translate/updateBounds';

/** The agent runs but did not open a session. */
export function sessionProblem(agentName: string, error: unknown, network?: string): Problem {
  const step = nextStep(error) ?? l10n.t("Try again. The log has the agent's output.");
  return {
    kind: 'sessionFailed',
    title: l10n.t('{0} could not start a chat', agentName),
    detail: [sentence(error), step, networkOf(error, network)].filter(Boolean).join(' '),
    output: [],
    actions: ['retry', 'showLog', 'editAgents'],
  };
}

export function sessionTimeout(agentName: string, seconds: number): Problem {
  return {
    kind: 'timeout',
    title: l10n.t('{0} did not open a chat', agentName),
    detail: l10n.t(
      'It started but did not answer within {0} seconds. Try again, or raise "newSession" in parley.timeouts.',
      seconds,
    ),
    output: [],
    actions: ['retry', 'showLog', 'editAgents'],
  };
}

/**
 * A prompt that was answered with an error: what to show in its turn.
 * @param network see `AgentLink.network`
 */
export function promptFailure(
  agentName: string,
  error: unknown,
  network?: string,
): { readonly text: string; readonly detail: string } {
  return {
    text: l10n.t('{0} could not answer', agentName),
    detail: [sentence(error), nextStep(error), networkOf(error, network)].filter(Boolean).join(' '),
  };
}

function networkOf(error: unknown, network: string | undefined): string | undefined {
  const meaning = meaningOf(error);
  return meaning === 'connectionLost' || meaning === 'timeout' ? network : undefined;
}

export function isAuthRequired(error: unknown): boolean {
  return meaningOf(error) === 'authRequired';
}

/** The agent's service refused its credentials: signing in again may help where the agent offers it. */
export function isCredentialsRefused(error: unknown): boolean {
  return meaningOf(error) === 'credentialsRefused';
}

/** The agent has kept silent for as long as it was waited for. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof RequestError && error.code === ErrorCode.noAnswer;
}

/** A sign-in that failed: what happened, and what else can be done about it. */
export function signInFailure(error: unknown): string {
  const text = sentence(error);
  return [text, variableStep(text)].filter(Boolean).join(' ');
}

/** What an agent that wants a sign-in says about how; undefined when that is nothing but that it does. */
export function signInHint(error: unknown): string | undefined {
  const text = sentence(error).replace(PREFIX, '').trim();
  if (EMPTY.test(text)) return undefined;
  return [text, variableStep(text)].filter(Boolean).join(' ');
}

const PREFIX = /^(?:authentication required|unauthorized|auth required)\b[.:]?\s*/i;

/** Nothing, the same once more, and what is meant for the program and not for its user. */
const EMPTY =
  /^(?:|\W+|authentication (?:is )?required\W*|unauthorized\W*|.*\bcall authenticate\b.*)$/i;

/** Agents that want a variable to be set do not know where their user sets it. */
function variableStep(text: string): string | undefined {
  const variable = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN)\b/.exec(text)?.[0];
  return variable === undefined
    ? undefined
    : l10n.t('{0} can be set under "env" of the agent in the setting parley.agents.', variable);
}

export function isUnknownSession(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const meaning = meaningOf(error);
  return (
    meaning === 'sessionNotFound' ||
    meaning === 'sessionExpired' ||
    error.code === ErrorCode.resourceNotFound ||
    error.code === ErrorCode.invalidParams
  );
}

/** The message of an error with whatever detail its `data` has, as a sentence. */
function sentence(error: unknown): string {
  const message = plainText(error instanceof Error ? error.message : String(error));
  const data = error instanceof RequestError ? dataText(error.data) : undefined;
  const extra = data === undefined ? undefined : plainText(data);
  const text = extra && !message.includes(extra) ? `${message}: ${extra}` : message;
  const short = boundedText(withoutEscapes(text), MAX_SENTENCE);
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

/** Some agents pass on what their service answered, as JSON: its message is what it says. */
function plainText(message: string): string {
  const start = message.indexOf('{');
  if (start < 0) return message;
  try {
    const explanation = dataText(JSON.parse(message.slice(start)));
    return explanation === undefined ? message : `${message.slice(0, start)}${explanation}`;
  } catch {
    return message;
  }
}

/** `error.data` is a string, an array or an object, as the agent likes. */
function dataText(data: unknown, depth = 0): string | undefined {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return undefined;
  for (const key of ['message', 'details', 'detail', 'error', 'reason']) {
    const text = dataText((data as Record<string, unknown>)[key], depth + 1);
    if (text) return text;
  }
  return undefined;
}

/** UTF-16 units of what an agent says about a failure. */
const MAX_SENTENCE = 2_000;

/** How deep in `data` a text is looked for. */
const MAX_DEPTH = 5;
