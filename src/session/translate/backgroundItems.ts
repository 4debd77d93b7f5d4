import { isObject, name } from '../../acp/schema/guards/primitives';
import { subagentCallId } from '../state/background';
import type { BackgroundItem } from '../state/state';

/** Of one list. */
const MAX_ITEMS = 200;

/** What a `state_update` lists as work in the background; undefined when the agent reports none of it. */
export function backgroundItems(background: unknown): readonly BackgroundItem[] | undefined {
  if (!Array.isArray(background)) return undefined;
  return background
    .slice(0, MAX_ITEMS)
    .flatMap((item: unknown, index): readonly BackgroundItem[] => {
      if (!isObject(item)) return [];
      const { type } = item;
      const [terminal, call, session] = [
        name(item['terminalId']),
        name(item['toolCallId']),
        name(item['sessionId']),
      ];
      if (type === 'terminal' && terminal !== undefined)
        return [{ kind: 'terminal', id: terminal }];
      if (type === 'tool_call' && call !== undefined) return [{ kind: 'call', id: call }];
      if (type === 'subagent' && session !== undefined) {
        return [{ kind: 'subagent', id: subagentCallId(session) }];
      }
      // What nobody knows still means that something runs.
      return [{ kind: 'other', id: `${name(type) ?? ''} ${index}` }];
    });
}

export function sameItems(a: readonly BackgroundItem[], b: readonly BackgroundItem[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ kind, id }, index) => kind === b[index]?.kind && id === b[index].id)
  );
}
