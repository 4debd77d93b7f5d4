/**
 * What a subagent does as a conversation of its own: the parts under its call, in the shape of a chat, so that what
 * shows a chat shows it as well. It is derived from the chat and no part of it. Pure.
 */
import { subagentSessionOf } from './background';
import type { ContentView } from './content';
import { partsBelow, partsUnder } from './lanes';
import { hasLane, lastOfCall } from './partIndex';
import { allTurns } from './selectors';
import type { ContentPart, Part, SessionState, ToolCallPart, Turn, UserPart } from './state';
import { isOpen } from './turns';

export interface SubagentChat {
  /** The call that began it. */
  readonly call: ToolCallPart;
  /** The chat with nothing but what is the subagent's. Its one turn has the id of the turn that the call is in. */
  readonly session: SessionState;
}

/**
 * The conversation of the subagent that a call began.
 * @param partId of the call: unlike its own id, no other call has it
 * @returns undefined when the call is gone, or nothing stands under it
 */
export function subagentChat(
  state: SessionState,
  turnId: string,
  partId: string,
): SubagentChat | undefined {
  const turn = allTurns(state).find(({ id }) => id === turnId);
  const call = turn?.parts.find(({ id }) => id === partId);
  if (!turn || call?.kind !== 'tool' || !hasLane(turn.parts, call.toolCallId)) return undefined;
  const { activeTurn: _active, plan: _plan, ...chat } = state;
  const { startedAt, endedAt } = call;
  const own: Turn = {
    id: turn.id,
    parts: conversation(turn, call),
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
  };
  // Ids are used again in later turns: then a request is for the call there.
  const isBelow = (id: string | undefined): boolean =>
    id !== undefined &&
    lastOfCall(own.parts, id) >= 0 &&
    allTurns(state).findLast(({ parts }) => lastOfCall(parts, id) >= 0) === turn;
  const session = {
    ...chat,
    chatId: `${state.chatId}/${partId}`,
    title: call.title,
    turns: isOpen(call.status) ? [] : [own],
    ...(isOpen(call.status) && { activeTurn: own }),
    permissions: state.permissions.filter(({ toolCallId }) => isBelow(toolCallId)),
    elicitations: state.elicitations.filter(({ toolCallId }) => isBelow(toolCallId)),
    plans: (state.plans ?? []).filter(({ planId }) => planId === call.toolCallId),
    queue: [],
  };
  return { call, session };
}

const known = new WeakMap<readonly Part[], Map<string, readonly Part[]>>();

/** The task, what was said and done, and what came of it; the same array while the turn is the same. */
function conversation(turn: Turn, call: ToolCallPart): readonly Part[] {
  const ofTurn = known.get(turn.parts) ?? new Map<string, readonly Part[]>();
  known.set(turn.parts, ofTurn);
  const before = ofTurn.get(call.id);
  if (before) return before;
  const task = taskOf(call);
  const parts = [
    ...taskPart(call, task),
    ...partsBelow(turn, call.toolCallId).map(part =>
      'parentToolCallId' in part && part.parentToolCallId === call.toolCallId ? first(part) : part,
    ),
    ...resultParts(call, task, partsUnder(turn, call.toolCallId)),
  ];
  ofTurn.set(call.id, parts);
  return parts;
}

const firsts = new WeakMap<Part, Part>();

/** The part as what the agent itself says or does; the same while the part is. */
function first(part: Part): Part {
  const before = firsts.get(part);
  if (before) return before;
  const { parentToolCallId: _, ...own } = part as ToolCallPart;
  firsts.set(part, own);
  return own;
}

function taskPart({ id }: ToolCallPart, text: string): readonly UserPart[] {
  if (text === '') return [];
  const taskId = `${id}#task`;
  return [{ kind: 'user', id: taskId, message: { id: taskId, text, attachments: [] } }];
}

/** Where agents that start subagents with a tool say what is to be done, in its input. */
const TASK = /"(?:prompt|task|message)"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** What the subagent was asked to do; empty when that is not known. */
function taskOf(call: ToolCallPart): string {
  const { rawInput, toolCallId } = call;
  const [said = ''] = textsOf(call);
  // That of a session is what it was asked, else what it is described by.
  if (subagentSessionOf(toolCallId) !== undefined) return rawInput?.text ?? said;
  const given = TASK.exec(rawInput?.text ?? '')?.[1];
  // Later it is its result that it says.
  return (given && unescaped(given)) || (isOpen(call.status) ? said : '');
}

/** The text of a string in JSON, which may be cut within an escape. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/\\u[\da-f]{0,3}$/i, '')}"`));
  } catch {
    return '';
  }
}

/** What the call has brought, unless the subagent has said that last. */
function resultParts(
  call: ToolCallPart,
  task: string,
  said: readonly Part[],
): readonly ContentPart[] {
  if (isOpen(call.status)) return [];
  const last = said.findLast(part => part.kind === 'text')?.text.trim() ?? '';
  const isKnown = (text: string): boolean =>
    text === task.trim() || (last !== '' && text.startsWith(last));
  const blocks = blocksOf(call).filter(
    block => block.kind !== 'text' || !isKnown(block.text.text.trim()),
  );
  return resultOf(call, blocks).map((block, index) => ({
    kind: 'content',
    id: `${call.id}#result${index}`,
    block,
  }));
}

/** The call of a session says what it is about, and at last why it failed. */
function resultOf(
  { toolCallId, status }: ToolCallPart,
  blocks: readonly ContentView[],
): readonly ContentView[] {
  if (subagentSessionOf(toolCallId) === undefined) return blocks;
  return status === 'failed' ? blocks.slice(-1) : [];
}

function blocksOf({ content }: ToolCallPart): readonly ContentView[] {
  return content.flatMap(each => (each.kind === 'block' ? [each.block] : []));
}

function textsOf(call: ToolCallPart): readonly string[] {
  return blocksOf(call).flatMap(block => (block.kind === 'text' ? [block.text.text] : []));
}
