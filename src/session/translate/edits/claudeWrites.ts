/** Claude's tool `Write`: its diffs never have an old text, whether the file exists or not. */
import { isObject, type Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { asDiff } from './diffs';

type Call = schema.ToolCall | schema.ToolCallUpdate;

/** The call with diffs that say no more than is known: before the file is written, and after. */
export function withWrite<T extends Call>(call: T): T {
  const claude = claudeOf(call);
  if (call.name !== 'Write' && claude['toolName'] !== 'Write') return call;
  const { content } = call;
  if (!content) {
    const done = writtenIn(claude['toolResponse']);
    return done ? { ...call, content: [done] } : call;
  }
  return { ...call, content: content.map(unknownBefore) };
}

function claudeOf({ _meta: meta }: Call): Json {
  const claude = isObject(meta) ? meta['claudeCode'] : undefined;
  return isObject(claude) ? claude : {};
}

function unknownBefore(item: schema.ToolCallContent): schema.ToolCallContent {
  if (item.type !== 'diff' || typeof item.oldText === 'string' || item._meta) return item;
  return asDiff({ path: item.path, oldText: null, newText: item.newText, change: 'modified' });
}

function writtenIn(response: unknown): schema.ToolCallContent | undefined {
  if (!isObject(response)) return undefined;
  const { type, filePath: path, content: newText, originalFile } = response;
  if (typeof path !== 'string' || path === '' || typeof newText !== 'string') return undefined;
  const oldText = typeof originalFile === 'string' ? originalFile : null;
  if (type === 'create') return asDiff({ path, oldText, newText, change: 'added' });
  if (type !== 'update') return undefined;
  return asDiff({ path, oldText, newText, change: 'modified' });
}
