/** Content of a tool call as plain text, for documents that show all of it. Pure. */
import { createTwoFilesPatch } from 'diff';
import { fenced } from './edits/proposals';
import type * as schema from '../../acp/schema/schema';
import { toJson } from '../../base/json';
import type { FileDiff } from './contents';

/** Edit distance after which a change is written as the old text and the new one. */
const MAX_EDITS = 500;
/** UTF-16 units of both texts beyond which they are not compared. */
const MAX_COMPARED = 1_000_000;

/** Many pieces of content as one block of code. Nothing is compared: this is made with each update. */
export function restText(items: readonly (FileDiff | schema.ToolCallContent)[]): string {
  return fenced(items.map(contentText).join('\n'), 'diff');
}

function contentText(item: FileDiff | schema.ToolCallContent): string {
  if (!('type' in item)) return headOf(item) + signedTexts(item);
  switch (item.type) {
    case 'content':
      return item.content.type === 'text' ? item.content.text : toJson(item.content, 2);
    default:
      return toJson(item, 2);
  }
}

/** A change as a unified diff; nothing of either text is left out but what is the same in both. */
export function diffText(diff: FileDiff): string {
  const { oldText, newText } = diff;
  const before = oldText ?? '';
  if (before.length + newText.length > MAX_COMPARED) return headOf(diff) + signedTexts(diff);
  const [from, to] = namesOf(diff);
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(from, to, before, newText, undefined, undefined, options);
  return headOf(diff) + (patch ?? signedTexts(diff));
}

function headOf({ path, oldPath = path, change }: FileDiff): string {
  return change === 'moved' ? `rename from ${oldPath}\nrename to ${path}\n` : '';
}

/** The names of the file before and after the change. */
function namesOf({ path, oldPath = path, oldText, change }: FileDiff): readonly [string, string] {
  return [
    oldText === null && change !== 'deleted' ? '/dev/null' : oldPath,
    change === 'deleted' ? '/dev/null' : path,
  ];
}

/** The old text and the new one whole, in the form of a patch. */
function signedTexts(diff: FileDiff): string {
  const [from, to] = namesOf(diff);
  const [before, after] = [linesOf(diff.oldText ?? ''), linesOf(diff.newText)];
  const hunk = `@@ -${range(before)} +${range(after)} @@`;
  const head = `${'='.repeat(67)}\n--- ${from}\n+++ ${to}\n`;
  return before.length + after.length === 0
    ? head
    : `${head}${hunk}\n${signed(before, '-')}${signed(after, '+')}`;
}

/** With their ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function range({ length }: readonly string[]): string {
  return length === 0 ? '0,0' : `1,${length}`;
}

function signed(lines: readonly string[], sign: string): string {
  const text = lines.map(line => sign + line).join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`;
}
