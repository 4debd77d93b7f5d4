/**
 * Content as agents write it that depart from the schema, in the shape of the schema. Like all readers of
 * dialects: what is well-formed (or of no use) comes back as it was given, and nothing throws.
 */
import { isObject, type Json } from '../guards/primitives';

const BLOCK_TYPES = new Set<unknown>([
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
  'embedded_resource',
]);

/** A bare string, and an object with a text but no type, are text; `embedded_resource` is `resource`. */
export function asContentBlock(value: unknown): unknown {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isObject(value)) return value;
  if (value['type'] === 'embedded_resource') return resourceOf(value);
  if (value['type'] === undefined && typeof value['text'] === 'string') {
    return { ...value, type: 'text' };
  }
  return value;
}

/** The early draft has the fields of the resource beside the type. */
function resourceOf(block: Json): Json {
  const { type: _, annotations, _meta, ...resource } = block;
  return {
    type: 'resource',
    resource: isObject(resource['resource']) ? resource['resource'] : resource,
    ...(annotations !== undefined && { annotations }),
    ...(_meta !== undefined && { _meta }),
  };
}

/** Blocks without their wrapping, and content without its type. */
export function asToolCallContent(value: unknown): unknown {
  if (typeof value === 'string') return wrapped(value);
  if (!isObject(value)) return value;
  if (BLOCK_TYPES.has(value['type'])) return wrapped(value);
  if (value['type'] === 'diff') return 'newText' in value ? value : diffOf(value);
  if (value['type'] !== undefined) return value;
  if ('terminalId' in value) return { ...value, type: 'terminal' };
  if ('newText' in value) return { ...value, type: 'diff' };
  if ('newContent' in value || 'oldContent' in value) return diffOf(value);
  if ('content' in value) return { ...value, type: 'content' };
  return typeof value['text'] === 'string' ? wrapped(value) : value;
}

function wrapped(block: unknown): Json {
  return { type: 'content', content: block };
}

/** `oldContent` and `newContent` for `oldText` and `newText`; a change without new content deletes. */
function diffOf(value: Json): Json {
  const { oldContent, newContent, ...rest } = value;
  if (oldContent === undefined && newContent === undefined) return value;
  return { ...rest, type: 'diff', oldText: oldContent ?? null, newText: newContent ?? '' };
}
