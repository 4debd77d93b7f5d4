/** Content of a tool call as plain text, for documents that show all of it. Pure. */
import { createTwoFilesPatch } from 'diff';
import type * as schema from '../../acp/schema';
import { toJson } from '../../base/json';
import type { FileDiff } from './contents';

/** Edit distance after which a change is written as the old text and the new one. */
const MAX_EDITS = 4_000;

export function contentText(item: FileDiff | schema.ToolCallContent): string {
  if (!('type' in item)) return diffText(item);
  switch (item.type) {
    case 'content':
      return item.content.type === 'text' ? item.content.text : toJson(item.content, 2);
    default:
      return toJson(item, 2);
  }
}

/** Many pieces of content as one block of code. */
export function restText(items: readonly (FileDiff | schema.ToolCallContent)[]): string {
  const text = items.map(contentText).join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}

/** A change as a unified diff; nothing of either text is left out but what is the same in both. */
export function diffText({ path, oldPath = path, oldText, newText, change }: FileDiff): string {
  const from = oldText === null && change !== 'deleted' ? '/dev/null' : oldPath;
  const to = change === 'deleted' ? '/dev/null' : path;
  const head = change === 'moved' ? `rename from ${oldPath}\nrename to ${path}\n` : '';
  const before = oldText ?? '';
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(from, to, before, newText, undefined, undefined, options);
  if (patch !== undefined) return head + patch;
  const lines = (text: string, sign: string) => text.replace(/^/gm, sign);
  return `${head}--- ${from}\n+++ ${to}\n${lines(before, '-')}\n${lines(newText, '+')}\n`;
}
