/** Updates that only ACP v2 has, as actions: messages sent whole, states, terminals of the agent, calls in pieces. */
import { contentBlock, toolCallContent } from '../../acp/schema/guards/content';
import { isObject, list, name } from '../../acp/schema/guards/primitives';
import type * as schema from '../../acp/schema/schema';
import type { SessionAction } from '../state/actions';
import type { SessionState } from '../state/state';
import { backgroundItems, sameItems } from './backgroundItems';
import type { Fields } from './namedPlans';
import type { Translator } from './translate';

interface V2Translation {
  readonly about: 'session' | 'transcript';
  /** Undefined for an update without the fields of its kind: it is shown as it came. */
  actions(
    update: Fields,
    state: SessionState,
    translator: Translator,
    sessionId: string | undefined,
  ): readonly SessionAction[] | undefined;
}

export const V2_UPDATES: Readonly<Record<string, V2Translation>> = {
  user_message: message('user'),
  agent_message: message('text'),
  agent_thought: message('thought'),
  // What ends a turn is not for the state of a chat alone; see `stateUpdateOf`.
  state_update: {
    about: 'session',
    actions: ({ state: work, background }, { background: known = [] }) => {
      if (name(work) === undefined) return undefined;
      const items = backgroundItems(background);
      return items && !sameItems(items, known) ? [{ type: 'backgroundChanged', items }] : [];
    },
  },
  tool_call_content_chunk: {
    about: 'transcript',
    actions: ({ toolCallId, content }, state, translator, sessionId) => {
      const id = name(toolCallId);
      const [item] = contents([content]) ?? [];
      return id === undefined || !item
        ? undefined
        : translator.callPiece(state, id, item, sessionId);
    },
  },
  terminal_update: {
    about: 'transcript',
    actions: ({ terminalId, ...fields }, state, translator) => {
      const id = name(terminalId);
      return id === undefined ? undefined : translator.ownTerminal(state, id, fields);
    },
  },
  terminal_output_chunk: {
    about: 'transcript',
    actions: ({ terminalId, data }, state, translator) => {
      const id = name(terminalId);
      if (id === undefined || typeof data !== 'string') return undefined;
      return translator.ownTerminalOutput(state, id, data);
    },
  },
};

const blocks = list(contentBlock);
const contents = list(toolCallContent);

function message(stream: 'user' | 'text' | 'thought'): V2Translation {
  return {
    about: 'transcript',
    actions: ({ messageId, content }, state, translator) => {
      const id = name(messageId);
      if (id === undefined) return undefined;
      // Left out: nothing changes. Null: nothing is left of it.
      if (content === undefined) return [];
      const whole = blocks(content ?? []);
      return whole && translator.message(state, stream, id, whole);
    },
  };
}

/** What an update says of the agent's work; undefined for one that says something else. */
export function stateUpdateOf(update: {
  readonly sessionUpdate: string;
}): schema.StateUpdate | undefined {
  if (update.sessionUpdate !== 'state_update') return undefined;
  const { state, stopReason, error, usage }: Fields = { ...update };
  const known = name(state);
  if (known === undefined) return undefined;
  const reason = name(stopReason);
  return {
    state: known,
    ...(reason !== undefined && { stopReason: reason }),
    ...(isObject(usage) &&
      typeof usage['totalTokens'] === 'number' && {
        usage: { totalTokens: usage['totalTokens'] },
      }),
    ...(isObject(error) && {
      error: {
        code: typeof error['code'] === 'number' ? error['code'] : 0,
        message: name(error['message']) ?? '',
        data: error['data'],
      },
    }),
  };
}
