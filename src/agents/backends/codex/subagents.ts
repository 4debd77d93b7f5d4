/** Subagents of Codex: threads of their own, shown under the one that started them. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, strings, text } from '../inProcess/json';

/** The threads that an item of a thread speaks of. */
export function subagentThreads(item: Json): readonly string[] {
  if (item['type'] === 'subAgentActivity') return strings([item['agentThreadId']]);
  return item['type'] === 'collabAgentToolCall' ? strings(item['receiverThreadIds']) : [];
}

/** What an item says of subagents. */
export function subagentUpdates(item: Json): readonly object[] {
  const { type, kind, agentPath, tool, prompt, agentsStates } = item;
  const threads = subagentThreads(item).filter(id => id !== '');
  if (type === 'subAgentActivity') {
    const name = text(agentPath)?.split('/').at(-1);
    const state = STATES.get(kind);
    return threads.flatMap(id => (state ? [subagentUpdate(id, state, name)] : []));
  }
  const states = object(agentsStates);
  return threads.flatMap(id => {
    const state = STATES.get(object(states[id])['status']);
    const isNew = tool === 'spawnAgent';
    if (!state && !isNew) return [];
    const task = isNew ? text(prompt) : undefined;
    return [subagentUpdate(id, state ?? RUNNING, undefined, task)];
  });
}

/** @param turn what happens to a turn of the subagent's thread */
export function subagentTurn(threadId: string, turn: 'started' | 'completed'): object {
  return subagentUpdate(threadId, turn === 'started' ? RUNNING : ended('end_turn'));
}

const RUNNING = { state: 'running' };

function ended(stopReason: string): object {
  return { state: 'idle', stopReason };
}

const STATES: ReadonlyMap<unknown, object> = new Map<unknown, object>([
  ['started', RUNNING],
  ['interacted', RUNNING],
  ['pendingInit', RUNNING],
  ['running', RUNNING],
  ['completed', ended('end_turn')],
  ['shutdown', ended('end_turn')],
  ['interrupted', ended('cancelled')],
  ['errored', ended('error')],
  ['notFound', ended('error')],
]);

function subagentUpdate(
  sessionId: string,
  state: object,
  title?: string,
  description?: string,
): object {
  return {
    sessionUpdate: 'subagent_update',
    sessionId,
    state,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}
