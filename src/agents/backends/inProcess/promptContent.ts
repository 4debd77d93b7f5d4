/** What the user sends, for programs that take text and images alone. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, text } from './json';

export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly data: string; readonly mimeType: string };

/** @param prompt blocks of `session/prompt` */
export function promptParts(prompt: unknown): readonly PromptPart[] {
  const blocks = objects(prompt);
  // What is mentioned comes after what is said of it.
  return [...blocks.flatMap(partsOf), ...blocks.flatMap(attachedText)];
}

function partsOf(block: Json): readonly PromptPart[] {
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

function attachedText(block: Json): readonly PromptPart[] {
  const { text: content, uri } = object(block['resource']);
  if (block['type'] !== 'resource' || typeof content !== 'string') return [];
  return textOf(`\n<context ref="${text(uri) ?? ''}">\n${content}\n</context>`);
}

function imageOf(image: Json): readonly PromptPart[] {
  const [data, mimeType] = [text(image['data']), text(image['mimeType'])];
  return data === undefined || mimeType === undefined ? [] : [{ kind: 'image', data, mimeType }];
}

/** Files with an `@` and their name, which is how CLIs themselves mention them. */
function link(uri: unknown): string | undefined {
  const address = text(uri);
  if (!address?.startsWith('file://')) return address;
  return `[@${address.slice(address.lastIndexOf('/') + 1)}](${address})`;
}

function textOf(words: unknown): readonly PromptPart[] {
  const said = text(words);
  return said === undefined ? [] : [{ kind: 'text', text: said }];
}
