import { allTurns } from '../../src/session/state/selectors';
import { lastOfCall } from '../../src/session/state/partIndex';
import type { PermissionRequest } from '../../src/session/state/permission';
import type { SessionState, Terminal, Turn } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import type { Ask } from '../composer/mentionList';
import type { Folds } from './folds';
import type { Groups } from './groups';
import type { PromptEditing } from './promptEditing';
import type { Windows } from './window/windows';

/** What the views of turns and parts need besides their slice of the state. */
export interface ViewContext {
  readonly session: SessionState;
  readonly folds: Folds;
  readonly windows: Windows;
  readonly groups: Groups;
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
  return holderOf(session, toolCallId)?.id === turnId ? request : undefined;
}

/** The turn that holds the call of that id. */
export function holderOf(session: SessionState, toolCallId: string): Turn | undefined {
  return allTurns(session).findLast(({ parts }) => lastOfCall(parts, toolCallId) >= 0);
}

export function terminalOf(context: ViewContext, terminalId: string): Terminal | undefined {
  return Object.hasOwn(context.session.terminals, terminalId)
    ? context.session.terminals[terminalId]
    : undefined;
}
