/** Text as it streams in: the agent's, its thoughts, and what it says the user said. Pure; used by the reducer alone. */
import type { ChunkAction, SessionAction } from './actions';
import { laneOf, lastOfLane, replaced } from './partIndex';
import type { Attachment, Message, Part, SessionState, Turn } from './state';
import { isSteered } from './steering';
import { inTurnOfLane, lane, laneIn } from './toolCalls';
import { openReplayedTurn, openTurn, replaceTurn, withPart } from './turns';

export function applyChunk(state: SessionState, action: ChunkAction): SessionState {
  if (action.replaces) return replaceMessage(state, action);
  if (action.text === '') return state;
  if (action.stream === 'user') return applyUserText(state, action);
  const { stream } = action;
  // Empty lines begin nothing: they would show as a gap. pi sends one as its session opens.
  const blank = /^[\r\n]+$/.test(action.text);
  if (blank && !openTurn(state) && !action.late) return state;
  return inTurnOfLane(state, action, turn => {
    const own = laneIn(turn, action.parentToolCallId);
    const index = continuedIndex(turn, action, own) ?? lastOfLane(turn.parts, own);
    const last = turn.parts[index];
    if (last?.kind === stream && sameMessage(last.messageId, action.messageId)) {
      const part = { ...last, text: last.text + action.text };
      const { messageId } = action;
      const named = messageId === undefined || messageId === last.messageId;
      const after = named ? part : { ...part, messageId };
      return { ...turn, parts: replaced(turn.parts, index, after) };
    }
    if (blank) return turn;
    const fields = {
      id: action.partId,
      text: action.text,
      ...lane(turn, action),
      ...(action.messageId !== undefined && { messageId: action.messageId }),
    };
    const part =
      stream === 'text'
        ? { kind: 'text' as const, ...fields }
        : {
            kind: 'thought' as const,
            ...fields,
            startedAt: action.at,
            ...(action.late && { endedAt: action.at }),
          };
    return withPart(turn, part, action.at);
  });
}

/** The part that a chunk goes on with where messages of a lane take turns: nothing else may stand between. */
function continuedIndex(
  { parts }: Turn,
  { stream, messageId }: ChunkAction,
  own: string | undefined,
): number | undefined {
  if (messageId === undefined) return undefined;
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (!part || laneOf(part) !== own) continue;
    if (part.kind !== 'text' && part.kind !== 'thought') return undefined;
    if (part.kind === stream && part.messageId === messageId) return index;
    // Without ids it is not known.
    if (part.messageId === undefined) return undefined;
  }
  return undefined;
}

/** A message sent whole: its first part gets the text, its other parts go. */
function replaceMessage(state: SessionState, action: ChunkAction): SessionState {
  const { replaces: _, ...chunk } = action;
  if (action.stream === 'user') return replacePrompt(state, chunk);
  const { messageId, stream, text } = action;
  const isOf = (part: Part) => part.kind === stream && part.messageId === messageId;
  const open = state.activeTurn?.parts.some(isOf) ? state.activeTurn : undefined;
  const turn = open ?? state.turns.findLast(({ parts }) => parts.some(isOf));
  if (!turn) return applyChunk(state, chunk);
  const first = turn.parts.findIndex(isOf);
  const parts = turn.parts.flatMap((part, index) => {
    if (!isOf(part)) return [part];
    return index === first && text !== '' ? [{ ...part, text } as Part] : [];
  });
  return replaceTurn(state, turn, { ...turn, parts });
}

/** A prompt that is replayed; that of the running turn is known, whatever the agent makes of it. */
function replacePrompt(state: SessionState, chunk: ChunkAction): SessionState {
  const turn = state.turns.findLast(({ prompt }) => prompt?.id === chunk.messageId);
  if (state.activeTurn || !turn?.prompt) return applyChunk(state, chunk);
  return replaceTurn(state, turn, { ...turn, prompt: { ...turn.prompt, text: chunk.text } });
}

/** Only two known and different ids say that a new message has begun. */
function sameMessage(before: string | undefined, after: string | undefined): boolean {
  return before === undefined || after === undefined || before === after;
}

/**
 * What the agent says the user said. In a running turn it is an echo of the prompt, shown already. Outside
 * one it is a replay: the text belongs to the prompt that is being replayed, or begins a new one.
 */
function applyUserText(state: SessionState, action: ChunkAction): SessionState {
  const { activeTurn, turns } = state;
  const last = turns.at(-1);
  if (action.late && last && isEcho(last, action.text)) return state;
  if (activeTurn) {
    if (isEcho(activeTurn, action.text)) return state;
    const notice = {
      kind: 'notice' as const,
      id: action.partId,
      level: 'info' as const,
      text: action.text,
      actions: [],
    };
    return replaceTurn(state, activeTurn, withPart(activeTurn, notice, action.at));
  }
  return inReplayedPrompt(state, action, prompt => ({
    ...prompt,
    text: prompt.text + action.text,
  }));
}

function isEcho(turn: Turn, text: string): boolean {
  const piece = text.trim();
  const isOf = (message: Message) =>
    message.text.includes(piece) || message.attachments.some(({ label }) => piece.includes(label));
  return piece === '' || (turn.prompt && isOf(turn.prompt)) || isSteered(turn, isOf);
}

export function applyUserContent(
  state: SessionState,
  action: Extract<SessionAction, { type: 'userContentReceived' }>,
): SessionState {
  if (state.activeTurn) return state;
  return inReplayedPrompt(state, action, prompt => ({
    ...prompt,
    attachments: [...prompt.attachments, action.attachment] as readonly Attachment[],
  }));
}

function inReplayedPrompt(
  state: SessionState,
  action: { readonly turnId: string; readonly messageId?: string; readonly at: number },
  change: (prompt: Message) => Message,
): SessionState {
  const last = state.turns.at(-1);
  const continues =
    last?.prompt !== undefined &&
    last.endedAt === undefined &&
    last.parts.length === 0 &&
    (action.messageId === undefined || last.prompt.id === action.messageId);
  if (continues) return replaceTurn(state, last, { ...last, prompt: change(last.prompt) });
  const prompt = { id: action.messageId ?? action.turnId, text: '', attachments: [] };
  return openReplayedTurn(state, {
    id: action.turnId,
    prompt: change(prompt),
    parts: [],
    startedAt: action.at,
  });
}
