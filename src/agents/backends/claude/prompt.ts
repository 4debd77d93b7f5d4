/** What the user sends, as a message of the CLI's. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, text } from './json';

/** @param uuid the message's own: the CLI names it with the end of the turn that answers it */
export function userMessage(prompt: unknown, uuid: string, sessionId: string): Json {
  const blocks = objects(prompt);
  const said = blocks.flatMap(contentOf);
  // What is mentioned comes after what is said of it.
  const attached = blocks.flatMap(attachedText);
  return {
    type: 'user',
    message: { role: 'user', content: [...said, ...attached] },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid,
    // Typed by a person: some of what the CLI does is for their words alone.
    origin: { kind: 'human' },
  };
}

function contentOf(block: Json): readonly object[] {
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'image':
      return imageOf(block);
    case 'resource_link':
      return textOf(link(block['uri']));
    case 'resource': {
      const resource = object(block['resource']);
      const isImage = text(resource['mimeType'])?.startsWith('image/') === true;
      const image = isImage ? imageOf({ ...resource, data: resource['blob'] }) : [];
      return [...textOf(link(resource['uri'])), ...image];
    }
    default:
      return [];
  }
}

function attachedText(block: Json): readonly object[] {
  const { text: content, uri } = object(block['resource']);
  if (block['type'] !== 'resource' || typeof content !== 'string') return [];
  return textOf(`\n<context ref="${text(uri) ?? ''}">\n${content}\n</context>`);
}

function imageOf({ data, mimeType }: Json): readonly object[] {
  if (!text(data) || !text(mimeType)) return [];
  return [{ type: 'image', source: { type: 'base64', data, media_type: mimeType } }];
}

/** Files with an `@` and their name, which is how the CLI itself mentions them. */
function link(uri: unknown): string | undefined {
  const address = text(uri);
  if (!address?.startsWith('file://')) return address;
  return `[@${address.slice(address.lastIndexOf('/') + 1)}](${address})`;
}

function textOf(words: unknown): readonly object[] {
  const said = text(words);
  return said === undefined ? [] : [{ type: 'text', text: said }];
}
