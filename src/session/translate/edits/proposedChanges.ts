/** What the input of a call says of files, beside what its content shows. Pure. */
import { withWrite } from './claudeWrites';
import { asDiff, changeOfDiff, type Change } from './diffs';
import { proposalOf, unshownChanges, withProposal } from './proposals';
import type * as schema from '../../../acp/schema/schema';
import type { ToolCallPart } from '../../state/state';
import type { Contents, FileDiff } from '../contents';

type Call = schema.ToolCall | schema.ToolCallUpdate;

export interface WithChanges {
  readonly call: Call;
  /** Belongs after the content that the call has already. */
  readonly more: readonly schema.ToolCallContent[];
}

/**
 * The message with all that it, or an earlier one, says of files in the input.
 * @param known the call before the message
 */
export function withChanges(
  message: Call,
  known: ToolCallPart | undefined,
  contents: Contents,
): WithChanges {
  const call = withWrite(message);
  if (!call.rawInput && !call.content) return { call, more: [] };
  const shown = known ? changesShown(known, contents) : [];
  const hasDiffs = call.content?.some(({ type }) => type === 'diff');
  // An input that is still being written grows, and its changes with it.
  if (hasDiffs || !known?.content.length || isFromInput(known, shown, contents)) {
    return { call: completed(call, known, contents), more: [] };
  }
  const kind = call.kind ?? known.toolKind;
  return { call, more: unshownChanges(call.rawInput, kind, shown) };
}

/** With what the input proposes, also an input that came before. */
function completed(call: Call, known: ToolCallPart | undefined, contents: Contents): Call {
  const isNews = call.rawInput !== undefined && call.rawInput !== null;
  if (!isNews && !call.content?.some(({ type }) => type === 'diff')) return call;
  const rawInput = isNews ? call.rawInput : known && inputOf(known, contents);
  const { content, kind, locations } = withProposal({ ...call, rawInput }, known?.toolKind);
  return {
    ...call,
    ...(content && { content }),
    ...(kind && { kind }),
    ...(locations && !known?.locations.length && { locations }),
  };
}

function isFromInput(known: ToolCallPart, shown: readonly Change[], contents: Contents): boolean {
  if (shown.length === 0) return false;
  const { changes, complete } = proposalOf(inputOf(known, contents), known.toolKind);
  const isWhole = complete && changes.length === shown.length;
  if (known.content.length !== shown.length + (isWhole ? 0 : 1)) return false;
  return shown.every((change, index) => isSameChange(change, changes[index]));
}

function isSameChange(one: Change, other: Change | undefined): boolean {
  return (
    one.path === other?.path &&
    one.change === other.change &&
    one.oldText === other.oldText &&
    one.newText === other.newText
  );
}

function inputOf({ rawInput }: ToolCallPart, contents: Contents): unknown {
  if (!rawInput) return undefined;
  const whole = rawInput.ref === undefined ? undefined : contents.get(rawInput.ref);
  const text = whole?.kind === 'text' ? whole.text : rawInput.text;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function changesShown({ content }: ToolCallPart, contents: Contents): readonly Change[] {
  return content.flatMap(item => {
    const kept = item.kind === 'diff' ? contents.get(item.diff.ref) : undefined;
    return kept?.kind === 'diff' ? [changeOf(kept.diff)] : [];
  });
}

function changeOf(diff: FileDiff): Change {
  return { ...diff, change: diff.change ?? changeOfDiff({ ...diff }).change };
}

/** A diff that was shown, as a message has it. */
export function diffAgain(diff: FileDiff): schema.ToolCallContent {
  return asDiff(changeOf(diff));
}
