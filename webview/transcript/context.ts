import { allTurns } from '../../src/session/state/selectors';
import type { PermissionRequest } from '../../src/session/state/permission';
import type { SessionState, Terminal } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import type { Ask } from '../composer/mentionList';
import type { Folds } from './folds';
import type { PromptEditing } from './promptEditing';

/** What the views of turns and parts need besides their slice of the state. */
export interface ViewContext {
  readonly session: SessionState;
  readonly folds: Folds;
  readonly now: () => number;
  /** Grows when the theme changes: terminal colours are computed from it. */
  readonly theme: number;
  /** Tells the host what the user wants. */
  readonly send: (intent: Intent) => void;
  /** False just after a request was answered, taken back or changed: nobody has read what is there now. */
  readonly isSettled: boolean;
  /** Prompts that are being changed. */
  readonly edits: Pick<PromptEditing, 'get' | 'start'>;
  readonly ask: Ask | undefined;
  /** Asks the frame to put the caret in the composer. */
  readonly toComposer: () => void;
}

/** The request that waits for this call; only in the turn that holds the call now (ids are reused). */
export function requestFor(
  context: ViewContext,
  turnId: string,
  toolCallId: string,
): PermissionRequest | undefined {
  const { session } = context;
  const request = session.permissions.find(candidate => candidate.toolCallId === toolCallId);
  if (!request) return undefined;
  const holder = allTurns(session).findLast(turn =>
    turn.parts.some(part => part.kind === 'tool' && part.toolCallId === toolCallId),
  );
  return holder?.id === turnId ? request : undefined;
}

export function terminalOf(context: ViewContext, terminalId: string): Terminal | undefined {
  return Object.hasOwn(context.session.terminals, terminalId)
    ? context.session.terminals[terminalId]
    : undefined;
}
