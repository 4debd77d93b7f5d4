/** A chat as text: one line with what it was, then lines with what happened since. */
import type { SessionAction } from '../state/actions';
import { withAsked } from '../state/permissionChanges';
import { reduce } from '../state/reducer';
import type { SessionState } from '../state/state';

export type ReadHistory =
  | { readonly kind: 'chat'; readonly state: SessionState; readonly isWhole: boolean }
  /** Another version can read it. */
  | { readonly kind: 'newer' }
  | { readonly kind: 'unreadable' };

/** The first line of a chat's text: everything up to then. */
export function snapshotLine(state: SessionState): string {
  return `${JSON.stringify({ version: 1, state })}\n`;
}

/** What can be read of `text`; `isWhole` is false when that is not all of it. */
export function readHistory(text: string): ReadHistory {
  const [first, ...rest] = text.split('\n');
  let state: SessionState;
  try {
    const line = JSON.parse(first ?? '') as {
      readonly version?: unknown;
      readonly state?: Omit<SessionState, 'elicitations'> & Partial<SessionState>;
    };
    if (typeof line.version === 'number' && line.version > 1) return { kind: 'newer' };
    if (line.version !== 1 || !line.state) return { kind: 'unreadable' };
    // Chats written by an earlier version lack what has come since.
    state = withAsked({ ...line.state, elicitations: line.state.elicitations ?? [] });
  } catch {
    return { kind: 'unreadable' };
  }
  for (const line of rest) {
    try {
      if (line !== '') state = (JSON.parse(line) as readonly SessionAction[]).reduce(reduce, state);
    } catch {
      return { kind: 'chat', state, isWhole: false };
    }
  }
  return { kind: 'chat', state, isWhole: text.endsWith('\n') };
}

/** The chat in `text`; undefined when its beginning cannot be read. A torn end is left out. */
export function parseHistory(text: string): SessionState | undefined {
  const found = readHistory(text);
  return found.kind === 'chat' ? found.state : undefined;
}
