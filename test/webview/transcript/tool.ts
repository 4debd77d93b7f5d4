import type { SessionAction, ToolCallAction } from '../../../src/session/state/actions';
import { T0 } from '../story';

/** A call of a tool in the first turn, done unless `more` says otherwise. */
export function tool(id: string, more: Partial<ToolCallAction> = {}): SessionAction {
  return {
    type: 'toolCallChanged',
    turnId: 'turn-1',
    partId: `part-${id}`,
    toolCallId: id,
    announced: true,
    title: id,
    toolKind: 'other',
    status: 'completed',
    at: T0 + 1000,
    ...more,
  };
}
