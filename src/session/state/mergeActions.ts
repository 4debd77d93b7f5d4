import type { SessionAction } from './actions';
import { MAX_TERMINAL_OUTPUT } from './terminalLimits';

/** One unit more than is kept says that output was dropped, one more that a pair may be cut. */
const MERGED_OUTPUT = MAX_TERMINAL_OUTPUT + 2;

/**
 * One action that does the same as `first` then `second`, or undefined when there is none. Streams of text
 * come in pieces smaller than anyone can read: merging them keeps messages and history short.
 */
export function mergeActions(
  first: SessionAction,
  second: SessionAction,
): SessionAction | undefined {
  if (first.type === 'chunkReceived' && second.type === 'chunkReceived') {
    if (first.stream === 'user' || first.stream !== second.stream) return undefined;
    if (first.messageId !== second.messageId || second.replaces) return undefined;
    if (first.parentToolCallId !== second.parentToolCallId) return undefined;
    if (first.late !== second.late || (first.late && first.turnId !== second.turnId)) {
      return undefined;
    }
    return first.text === '' ? second : { ...first, text: first.text + second.text };
  }
  if (first.type === 'terminalOutput' && second.type === 'terminalOutput') {
    if (first.terminalId !== second.terminalId) return undefined;
    if (second.replaces || second.dropped) return second;
    const { screen, at } = second;
    if (second.data === '' && screen === undefined) return first;
    // No more is kept than the state keeps, with room to see that something was dropped.
    const data = (first.data + second.data).slice(-MERGED_OUTPUT);
    return { ...first, ...(screen !== undefined && { screen }), data, at };
  }
  if (first.type === 'draftTyped' && second.type === 'draftTyped') {
    return first.viewId === second.viewId ? second : undefined;
  }
  return undefined;
}

/** `actions` with `action` added, merged into the last one where that is possible. */
export function pushMerged(actions: SessionAction[], action: SessionAction): void {
  const last = actions.at(-1);
  const merged = last && mergeActions(last, action);
  if (merged) actions[actions.length - 1] = merged;
  else actions.push(action);
}
