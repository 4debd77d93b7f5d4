/** Mentions: words of a message, such as `@src/retry.ts`, that stand for what goes along with it. Pure. */
import { allTurns } from './selectors';
import type { Attachment, SessionState } from './state';

/** A piece of a text: plain, or one of the mentions in it. */
export interface TextPiece {
  readonly text: string;
  readonly attachment?: Attachment;
}

/** `text` in pieces; a mention counts where it stands for itself, not in a longer word. */
export function mentionPieces(
  text: string,
  attachments: readonly Attachment[],
): readonly TextPiece[] {
  // The longest first: `@src/a.ts` is the beginning of `@src/a.ts#parse`.
  const mentions = attachments
    .filter(({ mention }) => mention !== undefined && text.includes(mention))
    .sort((a, b) => (b.mention?.length ?? 0) - (a.mention?.length ?? 0));
  if (mentions.length === 0) return [{ text }];
  const pieces: TextPiece[] = [];
  let plain = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const attachment =
      at < plain ? undefined : mentions.find(({ mention }) => stands(text, at, mention));
    if (!attachment?.mention) continue;
    if (at > plain) pieces.push({ text: text.slice(plain, at) });
    pieces.push({ text: attachment.mention, attachment });
    plain = at + attachment.mention.length;
  }
  if (plain < text.length) pieces.push({ text: text.slice(plain) });
  return pieces;
}

/**
 * What goes along with `text`: what is attached by itself, and what is mentioned in it. A mention of an earlier
 * message means the same again.
 * @param forTurn the turn whose prompt `text` is to be; none for the next message
 */
export function attachmentsOf(
  text: string,
  all: readonly Attachment[],
  earlier: readonly Attachment[],
  forTurn?: string,
): readonly Attachment[] {
  const attachments = all.filter(each => each.forTurn === undefined || each.forTurn === forTurn);
  const own = new Set(attachments.map(({ mention }) => mention));
  const known = [...attachments, ...earlier.filter(({ mention }) => !own.has(mention))];
  const mentioned = new Set(
    mentionPieces(text, known).flatMap(({ attachment }) => attachment ?? []),
  );
  return known.filter(each => each.mention === undefined || mentioned.has(each));
}

/** What their words mean is over when it is sent: the last command and the problems are others by now. */
const PASSING: ReadonlySet<Attachment['kind']> = new Set(['terminal', 'problems']);

/** The mentions of earlier messages, the latest of each, as far as they mean the same again. */
export function earlierMentions(
  state: Pick<SessionState, 'turns' | 'activeTurn' | 'queue'>,
): readonly Attachment[] {
  const prompts = [...allTurns(state).flatMap(({ prompt }) => prompt ?? []), ...state.queue];
  const found = new Map<string, Attachment>();
  for (const attachment of prompts.flatMap(({ attachments }) => attachments)) {
    const { kind, mention } = attachment;
    if (mention !== undefined && !PASSING.has(kind)) found.set(mention, attachment);
  }
  return [...found.values()];
}

function stands(text: string, at: number, mention: string | undefined): boolean {
  if (mention === undefined || !text.startsWith(mention, at)) return false;
  const before = text.slice(Math.max(0, at - 1), at);
  const after = text.slice(at + mention.length, at + mention.length + 2);
  return !/[\p{L}\p{N}_]/u.test(before) && !/^(?:[\p{L}\p{N}_/\\#-]|[.:][\p{L}\p{N}])/u.test(after);
}
