/** Questions about a chat that several places ask. Pure. */
import { isWaiting } from './elicitation';
import type { Attachment, Message, NoticePart, SessionState, Terminal, Turn } from './state';

/** Every turn, oldest first: the finished ones and the one that runs. */
export function allTurns({
  turns,
  activeTurn,
}: Pick<SessionState, 'turns' | 'activeTurn'>): readonly Turn[] {
  return activeTurn ? [...turns, activeTurn] : turns;
}

/** What the user said in a turn: its prompt, and what came while it ran. */
export function messagesOf({ prompt, parts }: Turn): readonly Message[] {
  const steered = parts.flatMap(part => (part.kind === 'user' ? [part.message] : []));
  return prompt ? [prompt, ...steered] : steered;
}

/** What the user asked first, if anything. */
export function firstPrompt(state: SessionState): Turn['prompt'] {
  return allTurns(state).find(turn => turn.prompt !== undefined)?.prompt;
}

/** A request that the agent waits for the user with: for permission, or for an answer. */
export interface WaitingRequest {
  readonly id: string;
  /** What it is about, in a line. */
  readonly title: string;
}

/** What waits for the user in this chat: requests for permission first, then questions. */
export function waitingRequests(state: SessionState): readonly WaitingRequest[] {
  if (state.elicitations.length === 0) return state.permissions;
  const questions = state.elicitations.filter(isWaiting);
  return [...state.permissions, ...questions.map(({ id, message }) => ({ id, title: message }))];
}

/** The question whether to go on beyond the budget that waits in the last turn. */
export function budgetQuestion(state: SessionState): NoticePart | undefined {
  return allTurns(state)
    .at(-1)
    ?.parts.findLast(
      (part): part is NoticePart => part.kind === 'notice' && part.actions.includes('goOn'),
    );
}

/** Agents name terminals as they like, also by names that every object has. */
export function terminalOf(
  { terminals }: Pick<SessionState, 'terminals'>,
  terminalId: string,
): Terminal | undefined {
  return Object.hasOwn(terminals, terminalId) ? terminals[terminalId] : undefined;
}

/** What goes along with a message of the chat, or with the one that is being written. */
export function findAttachment(state: SessionState, attachmentId: string): Attachment | undefined {
  const messages = [...state.queue, ...allTurns(state).flatMap(messagesOf)];
  return [...state.draft.attachments, ...messages.flatMap(message => message.attachments)].find(
    ({ id }) => id === attachmentId,
  );
}

/** Whether anything of that message has come. */
export function hasMessage(state: SessionState, messageId: string): boolean {
  return allTurns(state).some(
    ({ prompt, parts }) =>
      prompt?.id === messageId ||
      parts.some(part => 'messageId' in part && part.messageId === messageId),
  );
}
