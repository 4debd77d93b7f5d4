/** What the agent has at work beside the turn, or within it on its own: commands, tools, subagents. Pure. */
import { partsUnder } from './lanes';
import { allTurns, terminalOf } from './selectors';
import type { BackgroundItem, SessionState, ToolCallPart } from './state';
import { findToolCall } from './toolCalls';
import { isOpen } from './turns';

/** A call as which a subagent with a session of its own is shown begins with this. */
const SUBAGENT = 'subagent:';

/** The tool call as which the subagent with that session is shown. */
export function subagentCallId(sessionId: string): string {
  return `${SUBAGENT}${sessionId}`;
}

/** The session of a subagent that is shown as that call; undefined for other calls. */
export function subagentSessionOf(toolCallId: string): string | undefined {
  return toolCallId.startsWith(SUBAGENT) ? toolCallId.slice(SUBAGENT.length) : undefined;
}

/** One thing that is at work, for the list of them. */
export interface BackgroundWork {
  readonly id: string;
  readonly kind: BackgroundItem['kind'];
  /** Empty when nothing is known of it. */
  readonly title: string;
  readonly startedAt?: number;
  /** Whether the agent stops it when asked. */
  readonly stops: boolean;
}

/** What the agent says is at work, and the subagents of the turn that runs. */
export function backgroundWork(state: SessionState): readonly BackgroundWork[] {
  const listed = state.background ?? [];
  const calls = new Set(listed.map(({ id }) => id));
  const subagents = openSubagents(state).filter(({ toolCallId }) => !calls.has(toolCallId));
  if (listed.length + subagents.length === 0) return NONE;
  return [
    ...listed.flatMap(item => workOf(state, item) ?? []),
    ...subagents.map(call => ofCall('subagent', call)),
  ];
}

const NONE: readonly BackgroundWork[] = [];

function workOf(state: SessionState, { kind, id }: BackgroundItem): BackgroundWork | undefined {
  if (kind === 'terminal') {
    const terminal = terminalOf(state, id);
    if (terminal?.exit) return undefined;
    const { command = '', startedAt, cancels } = terminal ?? {};
    const stops = cancels === true;
    return { id, kind, title: command, stops, ...(startedAt !== undefined && { startedAt }) };
  }
  const call = findToolCall(state, id);
  return call ? ofCall(kind, call) : { id, kind, title: '', stops: false };
}

function ofCall(kind: BackgroundItem['kind'], call: ToolCallPart): BackgroundWork {
  const { toolCallId: id, title, startedAt, cancels } = call;
  return { id, kind, title, startedAt, stops: cancels === true };
}

function openSubagents({ turns, activeTurn }: SessionState): readonly ToolCallPart[] {
  // One that works on after its turn is of the last.
  return allTurns({ turns: turns.slice(-1), ...(activeTurn && { activeTurn }) }).flatMap(turn =>
    turn.parts.flatMap(part => {
      if (part.kind !== 'tool' || !isOpen(part.status)) return [];
      const isSubagent = subagentSessionOf(part.toolCallId) !== undefined;
      return isSubagent || partsUnder(turn, part.toolCallId).length > 0 ? [part] : [];
    }),
  );
}
