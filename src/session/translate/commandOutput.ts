/** What a command printed, where the agent sends it in `rawOutput` only. Pure. */
import type * as schema from '../../acp/schema/schema';
import type { ToolCallPart } from '../state/state';

/** Agents' names for it, the most complete first. */
const NAMES = ['formatted_output', 'aggregated_output', 'output', 'stdout', 'stderr', 'result'];

/**
 * The content that a message about a call brings. A command that has ended without any is shown with the
 * output in its raw result: Codex puts it there alone when the command has failed.
 * @param known the call before the message.
 */
export function contentOrOutput(
  call: schema.ToolCall | schema.ToolCallUpdate,
  known: ToolCallPart | undefined,
): readonly schema.ToolCallContent[] | undefined {
  const content = call.content ?? undefined;
  const ended = call.status === 'completed' || call.status === 'failed';
  const isCommand = (call.kind ?? known?.toolKind) === 'execute';
  if (content?.length || !ended || !isCommand) return content;
  if (known?.content.some(item => item.kind === 'terminal')) return content;
  const text = outputText(call.rawOutput);
  return text === undefined ? content : [{ type: 'content', content: { type: 'text', text } }];
}

/** The text in a raw result. */
export function outputText(rawOutput: unknown): string | undefined {
  if (!Array.isArray(rawOutput)) return textOf(rawOutput);
  // Cline runs several commands in one call, and sends a result of each.
  const texts = rawOutput.map(textOf).filter(text => text !== undefined);
  return texts.map(text => (text.endsWith('\n') ? text : `${text}\n`)).join('') || undefined;
}

function textOf(output: unknown): string | undefined {
  if (typeof output === 'string') return output || undefined;
  if (typeof output !== 'object' || output === null) return undefined;
  const record = output as Readonly<Record<string, unknown>>;
  return NAMES.map(name => record[name]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}
