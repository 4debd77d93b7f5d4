import { AgentMethod, ClientMethod } from '../../acp/schema/methods';
import { trafficOfChat } from './chatTraffic';
import { field, kindOf, textField, type RecordedMessage } from './recording';

/** How the chat of a recording began. */
export interface Opening {
  readonly method: 'new' | 'takenUp';
  /** Undefined when the agent has refused to open one. */
  readonly sessionId: string | undefined;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

export interface Run {
  readonly messages: readonly RecordedMessage[];
  readonly opening: Opening;
}

/** What a recording that lost its beginning is played with. */
const LOST_SESSION = 'recorded-session';
const NO_OTHERS: ReadonlySet<string> = new Set();

/**
 * What can be played of a recording: one chat, since its agent was last started and asked for something. A beginning that was
 * not kept any more is made up.
 */
export function lastRun(messages: readonly RecordedMessage[]): Run {
  const run = begunRun(messages);
  return { ...run, messages: trafficOfChat(run.messages, run.opening.sessionId, NO_OTHERS) };
}

function begunRun(messages: readonly RecordedMessage[]): Run {
  const runs = runsOf(messages);
  const run = runs.findLast(isAsked) ?? runs.at(-1) ?? [];
  const begun = hasAnswered(run, AgentMethod.initialize) ? run : [...initializing(), ...run];
  const opening = openingOf(begun);
  if (opening) return { messages: begun, opening };
  const sessionId = sessionIn(run) ?? LOST_SESSION;
  const after = begun.findIndex(
    ({ message }) => field(message, 'result', 'protocolVersion') !== undefined,
  );
  const made = [...begun.slice(0, after + 1), ...openingNew(sessionId), ...begun.slice(after + 1)];
  return {
    messages: made,
    opening: { method: 'new', sessionId, cwd: '/', additionalDirectories: [] },
  };
}

/** An agent that was answered is asked to initialize again only when it was started again. */
function runsOf(messages: readonly RecordedMessage[]): RecordedMessage[][] {
  const runs: RecordedMessage[][] = [[]];
  let isInitialized = false;
  for (const entry of messages) {
    const kind = kindOf(entry.message);
    if (
      kind.kind === 'request' &&
      kind.method === AgentMethod.initialize &&
      entry.from === 'client'
    ) {
      if (isInitialized) runs.push([]);
      isInitialized = false;
    }
    if (field(entry.message, 'result', 'protocolVersion') !== undefined) isInitialized = true;
    runs.at(-1)?.push(entry);
  }
  return runs;
}

function isAsked(run: readonly RecordedMessage[]): boolean {
  return run.some(({ message }) => message['method'] === AgentMethod.prompt);
}

function hasAnswered(run: readonly RecordedMessage[], method: string): boolean {
  return run.some(({ from, message }) => from === 'client' && message['method'] === method);
}

/** The first opening of the session that the first prompt is for; of any session where there is no prompt. */
function openingOf(run: readonly RecordedMessage[]): Opening | undefined {
  const wanted = sessionIn(run);
  let refused: Opening | undefined;
  for (const { message } of run) {
    const kind = kindOf(message);
    if (kind.kind !== 'request') continue;
    const isNew = kind.method === AgentMethod.newSession;
    const takes: readonly string[] = [AgentMethod.loadSession, AgentMethod.resumeSession];
    if (!isNew && !takes.includes(kind.method)) continue;
    const sessionId = isNew
      ? answeredSession(run, kind.id)
      : textField(message, 'params', 'sessionId');
    if (sessionId !== undefined && wanted !== undefined && sessionId !== wanted) continue;
    const more = field(message, 'params', 'additionalDirectories');
    const opening: Opening = {
      method: isNew ? 'new' : 'takenUp',
      sessionId,
      cwd: textField(message, 'params', 'cwd') ?? '/',
      additionalDirectories: Array.isArray(more)
        ? more.filter(each => typeof each === 'string')
        : [],
    };
    if (sessionId !== undefined) return opening;
    refused ??= opening;
  }
  return wanted === undefined ? refused : undefined;
}

function answeredSession(run: readonly RecordedMessage[], id: unknown): string | undefined {
  const answer = run.find(
    ({ from, message }) =>
      from === 'agent' && kindOf(message).kind === 'response' && message['id'] === id,
  );
  return answer && textField(answer.message, 'result', 'sessionId');
}

function sessionIn(run: readonly RecordedMessage[]): string | undefined {
  const isPrompt = ({ message }: RecordedMessage) => message['method'] === AgentMethod.prompt;
  const isUpdate = ({ message }: RecordedMessage) =>
    message['method'] === ClientMethod.sessionUpdate;
  const of = run.find(isPrompt) ?? run.find(isUpdate);
  return of && textField(of.message, 'params', 'sessionId');
}

function initializing(): RecordedMessage[] {
  const id = 'recorded-initialize';
  return [
    { t: 0, from: 'client', message: { id, method: AgentMethod.initialize, params: {} } },
    { t: 0, from: 'agent', message: { id, result: { protocolVersion: 1 } } },
  ];
}

function openingNew(sessionId: string): RecordedMessage[] {
  const id = 'recorded-session-new';
  return [
    { t: 0, from: 'client', message: { id, method: AgentMethod.newSession, params: {} } },
    { t: 0, from: 'agent', message: { id, result: { sessionId } } },
  ];
}
