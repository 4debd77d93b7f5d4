/** What stands in a call after a message about it, where the message alone would lose something. Pure. */
import type * as schema from '../../acp/schema/schema';
import type { ToolCallPart } from '../state/state';
import { terminalIn } from './agentTerminals';
import { contentOrOutput } from './commandOutput';
import type { Contents } from './contents';
import { diffAgain } from './edits/proposedChanges';

type Call = schema.ToolCall | schema.ToolCallUpdate;

/**
 * The content that a message brings, with what belongs to it: a terminal that only its `_meta` names, and
 * the change that was shown before. Undefined when it brings none.
 * @param known the call before the message.
 */
export function callContent(
  call: Call,
  known: ToolCallPart | undefined,
  contents: Contents,
): readonly schema.ToolCallContent[] | undefined {
  const terminalId = unplacedTerminal(call, known);
  if (terminalId !== undefined) return [...(call.content ?? []), { type: 'terminal', terminalId }];
  const content = contentOrOutput(call, known);
  return content && withKnownDiffs(content, known, contents);
}

/** Codex sends what it read as the output of a terminal that it shows nowhere. */
export function unplacedTerminal(
  { _meta, content }: Call,
  known: ToolCallPart | undefined,
): string | undefined {
  if (known?.content.length || content?.some(item => item.type === 'terminal')) return undefined;
  return terminalIn(_meta);
}

/**
 * Many agents show a change when they ask for permission, and have nothing but "Wrote file successfully."
 * in its place once it is made: the change stays.
 */
function withKnownDiffs(
  content: readonly schema.ToolCallContent[],
  known: ToolCallPart | undefined,
  contents: Contents,
): readonly schema.ToolCallContent[] {
  if (content.length === 0 || content.some(({ type }) => type !== 'content')) return content;
  const diffs = (known?.content ?? []).flatMap(item => {
    const kept = item.kind === 'diff' ? contents.get(item.diff.ref) : undefined;
    return kept?.kind === 'diff' ? [diffAgain(kept.diff)] : [];
  });
  return [...diffs, ...content];
}
