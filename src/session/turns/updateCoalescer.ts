import type * as schema from '../../acp/schema/schema';
import type { Environment } from '../ports';
import type { ChunkAction } from '../state/actions';
import type { SessionStore } from '../state/store';
import type { Translator } from '../translate/translate';
import { boundedUpdate, unitsIn } from '../translate/updateBounds';
import { TurnBounds } from './turnBounds';

/** So much of a message is put together at most, in UTF-16 units. */
const MAX_TOGETHER = 64 * 1024;

/** The beginning of what an agent says, while the pieces that follow it are read. */
interface Beginning {
  readonly action: ChunkAction;
  readonly update: schema.ContentChunk & { readonly sessionUpdate: string };
  readonly sessionId: string;
  text: string;
}

/**
 * Applies what an agent sends to its chat. Pieces of a message that are read together are applied together, before
 * anything else happens: agents send a few characters at a time, and each change costs as much as a long one.
 */
export class UpdateCoalescer {
  private readonly bounds: TurnBounds;
  private beginning: Beginning | undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly translator: Translator,
    environment: Pick<Environment, 'now' | 'newId'>,
  ) {
    this.bounds = new TurnBounds(store, translator, environment);
  }

  /** @param sessionId the session that it is of: the chat's, or that of a subagent */
  take(received: schema.SessionUpdate, sessionId: string): void {
    const piece = plainText(received);
    if (piece !== undefined && this.continues(received, piece, sessionId)) return;
    this.flush();
    const update = boundedUpdate(received);
    const actions = this.translator.translate(this.store.state, update, sessionId);
    const [action] = actions;
    const isAlone = actions.length === 1 && piece !== undefined && piece.trim() !== '';
    if (isAlone && action?.type === 'chunkReceived' && 'content' in update) {
      this.beginning = {
        action,
        update: update as Beginning['update'],
        sessionId,
        text: action.text,
      };
      queueMicrotask(() => this.flush());
      return;
    }
    this.bounds.before(unitsIn(update));
    for (const each of actions) this.store.dispatch(each);
    this.bounds.after();
  }

  /** Applies what waits for more. To be called before anything else is done to the chat while it is read. */
  flush(): void {
    const { beginning } = this;
    if (!beginning) return;
    this.beginning = undefined;
    const { action, text } = beginning;
    this.bounds.before(text.length);
    this.store.dispatch({ ...action, text });
    this.bounds.after();
  }

  private continues(update: schema.SessionUpdate, piece: string, sessionId: string): boolean {
    const { beginning } = this;
    if (
      beginning?.update.sessionUpdate !== update.sessionUpdate ||
      beginning.sessionId !== sessionId ||
      beginning.update.messageId !== (update as schema.ContentChunk).messageId ||
      beginning.text.length + piece.length > MAX_TOGETHER
    ) {
      return false;
    }
    beginning.text += piece;
    return true;
  }
}

/** The text of a piece of a message that carries nothing else; undefined for all else. */
function plainText(update: schema.SessionUpdate): string | undefined {
  if (
    update.sessionUpdate !== 'agent_message_chunk' &&
    update.sessionUpdate !== 'agent_thought_chunk'
  ) {
    return undefined;
  }
  const { content, _meta: meta } = update;
  if (content.type !== 'text' || content.annotations || meta) return undefined;
  return content.text;
}
