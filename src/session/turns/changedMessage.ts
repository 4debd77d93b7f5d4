import { attachmentsOf, earlierMentions } from '../state/mentions';
import type { Message, SessionState } from '../state/state';

/** How the prompt of a turn is to be sent again; what is absent stays as it is. */
export interface PromptChange {
  readonly text?: string;
  /** Ids of attachments that do not go along any more. */
  readonly without?: readonly string[];
}

/**
 * The prompt of a turn as the user has changed it: new words for mentions bring what they stand for. Undefined when
 * there is no such prompt, or nothing of it is left.
 */
export function changedMessage(
  state: SessionState,
  turnId: string,
  { text, without = [] }: PromptChange,
): Pick<Message, 'text' | 'attachments'> | undefined {
  const prompt = state.turns.find(({ id }) => id === turnId)?.prompt;
  if (!prompt) return undefined;
  if (text === undefined) return prompt;
  // What was said before it is attached again.
  const kept = prompt.attachments.filter(
    ({ id, kind }) => kind !== 'conversation' && !without.includes(id),
  );
  // What was mentioned or pasted while the prompt was changed waits in the draft, whose words do not name it.
  const added = state.draft.attachments.flatMap(({ forTurn, ...each }) =>
    forTurn === turnId || (forTurn === undefined && each.mention !== undefined) ? [each] : [],
  );
  const attachments = attachmentsOf(text, [...kept, ...added], earlierMentions(state));
  return text.trim() === '' && attachments.length === 0 ? undefined : { text, attachments };
}
