import type * as schema from '../../acp/schema/schema';
import { label } from '../ask';
import { planEdit, type Edit } from '../edits';
import type { Turn } from '../turn';
import { readFile } from './readFile';

export type EditResult =
  | { readonly kind: 'changed'; readonly edit: Edit }
  | { readonly kind: 'proposed'; readonly patch: string }
  | { readonly kind: 'unreadable' | 'nothingToDo' | 'rejected' | 'failed' };

/** Reads `file`, shows the change, asks, and writes it. What cannot be done is shown in the tool call. */
export async function editFile(turn: Turn, file: string, wish: string): Promise<EditResult> {
  const before = await readFile(turn, file);
  if (before === undefined) return { kind: 'unreadable' };
  const edit = planEdit(file, before, wish);
  if (!edit) return { kind: 'nothingToDo' };
  await turn.pause(300);
  return await change(turn, file, before, edit, current => planEdit(file, current, wish));
}

/** Creates `file` with `content`, after asking. */
export async function createFile(turn: Turn, file: string, content: string): Promise<EditResult> {
  const edit = { newText: content, summary: 'is new' };
  return await change(turn, file, null, edit, () => edit);
}

async function change(
  turn: Turn,
  file: string,
  before: string | null,
  edit: Edit,
  again: (current: string) => Edit | undefined,
): Promise<EditResult> {
  if (turn.session.settings.mode === 'plan') {
    return { kind: 'proposed', patch: patch(before ?? '', edit.newText) };
  }
  const tool = turn.tool({
    title: `${before === null ? 'Create' : 'Edit'} ${label(file, turn.cwd)}`,
    kind: 'edit',
    locations: [{ path: file, ...firstChange(before, edit.newText) }],
    content: [diff(file, before, edit.newText)],
    rawInput: { path: file },
  });
  if ((await turn.consent(tool, 'edit')) === 'rejected') {
    tool.declined();
    return { kind: 'rejected' };
  }
  tool.running();
  try {
    // The user may have typed in the file while deciding: build on what is there now.
    const current = before === null ? null : await turn.client.readTextFile(file);
    const fresh = current === null || current === before ? edit : again(current);
    if (!fresh) {
      tool.failed('The file changed meanwhile, and there is nothing left to do.');
      return { kind: 'nothingToDo' };
    }
    await turn.client.writeTextFile(file, fresh.newText);
    tool.done({ content: [diff(file, current, fresh.newText)] });
    return { kind: 'changed', edit: fresh };
  } catch (error) {
    if (turn.signal.aborted) throw error;
    tool.failed(error instanceof Error ? error.message : String(error));
    return { kind: 'failed' };
  }
}

function diff(file: string, oldText: string | null, newText: string): schema.ToolCallContent {
  return { type: 'diff', path: file, oldText, newText };
}

function firstChange(before: string | null, after: string): { line?: number } {
  if (before === null) return {};
  const old = before.split('\n');
  const index = after.split('\n').findIndex((line, at) => line !== old[at]);
  return index < 0 ? {} : { line: index + 1 };
}

/** The changed lines with their signs, for prose. Enough for the one place that these edits touch. */
function patch(before: string, after: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, now.length) - start;
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end).filter((line, at) => line !== '' || at > 0);
  const added = now.slice(start, now.length - end).filter((line, at) => line !== '' || at > 0);
  return [...removed.map(line => `-${line}`), ...added.map(line => `+${line}`)].join('\n');
}
