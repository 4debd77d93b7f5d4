/** Where in their file the diffs of a call stand. Pure. */
import type { SessionAction } from './actions';
import type { DiffView } from './content';
import type { SessionState, ToolContent } from './state';
import { changeToolCall } from './toolCalls';

type DiffsPlaced = Extract<SessionAction, { type: 'diffsPlaced' }>;

/** `diff`, whose texts begin with that line of the file (1-based). */
export function atLine({ lineUnknown: _, ...diff }: DiffView, line: number): DiffView {
  return { ...diff, hunks: diff.hunks.map(hunk => ({ ...hunk, line: hunk.line + line - 1 })) };
}

/** Also where the call is asked about: it is the same diff that was shown. */
export function placeDiffs(state: SessionState, action: DiffsPlaced): SessionState {
  const { toolCallId } = action;
  const asks = state.permissions.some(request => request.toolCallId === toolCallId);
  const permissions = state.permissions.map(request =>
    request.toolCallId === toolCallId
      ? { ...request, asked: withLines(request.asked, action) }
      : request,
  );
  const placed = asks ? { ...state, permissions } : state;
  return changeToolCall(placed, toolCallId, part => withLines(part, action));
}

function withLines<T extends { readonly content: readonly ToolContent[] }>(
  call: T,
  { lines }: DiffsPlaced,
): T {
  const content = call.content.map(item => {
    const line = item.kind === 'diff' && item.diff.lineUnknown ? lines[item.diff.ref] : undefined;
    return line === undefined || item.kind !== 'diff'
      ? item
      : { ...item, diff: atLine(item.diff, line) };
  });
  return content.every((item, index) => item === call.content[index]) ? call : { ...call, content };
}
