/** What the user sends, as a message of the CLI's. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { promptParts } from '../inProcess/promptContent';

/** @param uuid the message's own: the CLI names it with the end of the turn that answers it */
export function userMessage(prompt: unknown, uuid: string, sessionId: string): Json {
  const content = promptParts(prompt).map(part =>
    part.kind === 'text'
      ? { type: 'text', text: part.text }
      : {
          type: 'image',
          source: { type: 'base64', data: part.data, media_type: part.mimeType },
        },
  );
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid,
    // Typed by a person: some of what the CLI does is for their words alone.
    origin: { kind: 'human' },
  };
}
