/** Turns that Codex has kept, as the updates that they were. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { objects, text } from '../inProcess/json';
import { ThreadUpdates } from './threadUpdates';

/** @param turns the oldest first */
export function replayUpdates(turns: readonly Json[], cwd: string): readonly object[] {
  const updates = new ThreadUpdates(cwd);
  return turns.flatMap(turn => [
    ...objects(turn['items']).flatMap(item =>
      item['type'] === 'userMessage'
        ? userChunks(item)
        : [...updates.started(item), ...updates.completed(item)],
    ),
    // What was cut off has no end.
    ...updates.stopped(),
  ]);
}

function userChunks({ id, content }: Json): readonly object[] {
  const messageId = text(id);
  const parts = objects(content);
  const said = parts
    .flatMap(({ type, text: words }) => (type === 'text' ? (text(words) ?? []) : []))
    .filter(words => !words.startsWith('\n<context ref='))
    .join('\n');
  const images = parts.flatMap(part => imageOf(part['type'] === 'image' ? part['url'] : undefined));
  return [...(said === '' ? [] : [{ type: 'text', text: said }]), ...images].map(block => ({
    sessionUpdate: 'user_message_chunk',
    content: block,
    ...(messageId !== undefined && { messageId }),
  }));
}

function imageOf(url: unknown): readonly object[] {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.+)$/s.exec(text(url) ?? '') ?? [];
  return data === undefined ? [] : [{ type: 'image', data, mimeType }];
}
