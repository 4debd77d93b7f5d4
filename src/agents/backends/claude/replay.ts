/** A session that the CLI has kept, as the updates that it was. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { Messages } from './messages';
import { object, objects, text } from '../inProcess/json';
import { typedText } from './transcripts';

/** @param records of the conversation, the oldest first */
export function replayUpdates(records: readonly Json[], cwd: string): readonly object[] {
  const messages = new Messages(cwd);
  const updates = records.flatMap(record => [
    ...userChunks(record),
    ...messages.updates({ ...record, tool_use_result: record['toolUseResult'] }),
  ]);
  // What was cut off has no result.
  return [...updates, ...messages.calls.stopped()];
}

function userChunks(record: Json): readonly object[] {
  const said = typedText(record);
  if (said === undefined) return [];
  const id = text(record['uuid']);
  const images = objects(object(record['message'])['content']).flatMap(({ type, source }) => {
    const { data, media_type: mimeType } = object(source);
    const isImage = type === 'image' && text(data) !== undefined && text(mimeType) !== undefined;
    return isImage ? [{ type: 'image', data, mimeType }] : [];
  });
  return [{ type: 'text', text: said }, ...images].map(content => ({
    sessionUpdate: 'user_message_chunk',
    content,
    ...(id !== undefined && { messageId: id }),
  }));
}
