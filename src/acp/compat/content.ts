/**
 * Content as agents write it that depart from the schema, in the shape of the schema. Like all readers
 * here: what is well-formed (or of no use) comes back as it was given, and nothing throws.
 */
import { fileChange } from '../schema/fileChange';
import { isObject, mapped, type Json } from '../schema/guards/primitives';

const BLOCK_TYPES = new Set<unknown>([
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
  'embedded_resource',
]);

/** A bare string, and an object with a text but no type, are text; `embedded_resource` is `resource`. */
function asContentBlock(value: unknown): unknown {
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

/** The content of a tool call, whatever is in it. */
export function asToolCallContents(content: readonly unknown[]): readonly unknown[] {
  return mapped(content, item => {
    const read = asToolCallContent(item);
    return isObject(read) && read['type'] === 'content' ? withBlock(read) : read;
  });
}

/** `holder` with its `content` a block of the schema; the same when it is one. */
export function withBlock(holder: Json): Json {
  const { content } = holder;
  const block = asContentBlock(content);
  return block === content ? holder : { ...holder, content: block };
}

/** Blocks without their wrapping, and content without its type. */
function asToolCallContent(value: unknown): unknown {
  if (typeof value === 'string') return wrapped(value);
  if (!isObject(value)) return value;
  if (BLOCK_TYPES.has(value['type'])) return wrapped(value);
  if (value['type'] === 'diff') return diffOf(value);
  if (value['type'] !== undefined) return value;
  if ('terminalId' in value) return { ...value, type: 'terminal' };
  if (DIFF_FIELDS.some(field => field in value)) return diffOf({ ...value, type: 'diff' });
  if ('content' in value) return { ...value, type: 'content' };
  return typeof value['text'] === 'string' ? wrapped(value) : value;
}

function wrapped(block: unknown): Json {
  return { type: 'content', content: block };
}

const DIFF_FIELDS = ['newText', 'newContent', 'oldContent'];

/** `oldContent` and `newContent` for `oldText` and `newText`; a change without new content deletes. */
function diffOf(value: Json): Json {
  const { oldContent, newContent, ...rest } = value;
  const isOther = oldContent !== undefined || newContent !== undefined;
  const diff = isOther && !('newText' in value) ? { ...rest, oldText: oldContent ?? null } : value;
  const newText = diff === value ? value['newText'] : newContent;
  if (newText !== undefined && newText !== null) {
    return diff === value ? value : { ...diff, newText };
  }
  const meta = isObject(diff['_meta']) ? diff['_meta'] : {};
  const isGone =
    newText === null ||
    isOther ||
    fileChange(meta['kind']) === 'deleted' ||
    typeof diff['oldText'] === 'string';
  return isGone ? { ...diff, newText: '', _meta: { ...meta, kind: 'delete' } } : diff;
}
