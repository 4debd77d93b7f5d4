/** What the tools of the CLI have done, as changes of their calls. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { fenced, textContent } from '../inProcess/content';
import { number, object, objects, strings, text } from '../inProcess/json';
import { runsCommand, startsSubagent, type ToolUse } from './toolUse';

/** A `tool_result` block, with what the CLI knows besides. */
export interface ToolResult {
  readonly content: unknown;
  readonly isError: boolean;
  /** The tool's own output, of a shape of its own. */
  readonly structured: Json;
}

/** The fields of a `tool_call_update`. */
export function resultFields(use: ToolUse, result: ToolResult): object {
  const status = result.isError ? 'failed' : 'completed';
  const claudeCode = { toolName: use.name };
  if (runsCommand(use.name)) return { status, ...ofCommand(use.id, result) };
  if (result.isError) {
    const words = contentOf(result.content, code => fenced(code));
    return { status, _meta: { claudeCode }, ...(words.length > 0 && { content: words }) };
  }
  switch (use.name) {
    case 'Write':
      // Whether the file was there before is known only now.
      return { status, _meta: { claudeCode: { ...claudeCode, toolResponse: result.structured } } };
    case 'Edit':
      return { status, _meta: { claudeCode }, ...ofEdit(result.structured) };
    case 'NotebookEdit':
    case 'Skill':
    case 'EnterPlanMode':
    case 'ExitPlanMode':
      return { status, _meta: { claudeCode } };
    case 'Read':
      return { status, _meta: { claudeCode }, content: ofRead(result) };
    default:
      return { status, _meta: { claudeCode }, content: contentOf(result.content) };
  }
}

/** The work was accepted, and goes on in the background. */
export function isInBackground(use: ToolUse, { structured }: ToolResult): boolean {
  return startsSubagent(use.name)
    ? structured['status'] === 'async_launched'
    : structured['backgroundTaskId'] !== undefined;
}

function ofCommand(terminalId: string, { content, isError, structured }: ToolResult): object {
  const { stdout, stderr, interrupted, backgroundTaskId, returnCodeInterpretation } = structured;
  const isOwn = typeof stdout === 'string' && backgroundTaskId === undefined;
  const printed = isOwn
    ? [stdout, text(stderr)].filter(Boolean).join('\n')
    : plainText(content).replace(/^(?:Error: )?Exit code \d+\n?/, '');
  const code = isError ? exitCodeIn(plainText(content)) : 0;
  const isKnown = interrupted !== true && returnCodeInterpretation === undefined;
  return {
    _meta: {
      claudeCode: { toolName: 'Bash' },
      terminal_output: { terminal_id: terminalId, data: printed },
      terminal_exit: {
        terminal_id: terminalId,
        exit_code: isKnown && backgroundTaskId === undefined ? (code ?? null) : null,
        signal: null,
      },
    },
  };
}

/** The change at its place in the file: the input has only the texts. */
function ofEdit({ filePath, structuredPatch }: Json): object {
  const path = text(filePath);
  const hunks = objects(structuredPatch);
  if (path === undefined || hunks.length === 0) return {};
  return {
    content: hunks.map(({ lines }) => ({
      type: 'diff',
      path,
      oldText: sideOf(strings(lines), '+'),
      newText: sideOf(strings(lines), '-'),
    })),
    locations: hunks.map(({ newStart }) => ({ path, line: Math.max(number(newStart) ?? 1, 1) })),
  };
}

/** @param other the sign of the lines that it does not have */
function sideOf(lines: readonly string[], other: '+' | '-'): string {
  const own = lines.filter(line => !line.startsWith(other) && !line.startsWith('\\'));
  return own.map(line => line.slice(1)).join('\n');
}

/** Of a command that failed the CLI says so in the first line: "Exit code 3". */
function exitCodeIn(words: string): number | undefined {
  const code = /^(?:Error: )?Exit code (\d+)/.exec(words)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** The file's own text, where the model was given more. */
function ofRead({ content, structured }: ToolResult): readonly object[] {
  const { content: whole, startLine } = object(structured['file']);
  if (structured['type'] !== 'text' || typeof whole !== 'string' || whole === '') {
    return contentOf(content, code => fenced(code));
  }
  const first = number(startLine) ?? 1;
  const lines = whole.replace(/\n$/, '').split('\n');
  return [textContent(fenced(lines.map((line, index) => `${first + index}\t${line}`).join('\n')))];
}

/** Text and images; of everything else its name. */
export function contentOf(
  content: unknown,
  shape: (words: string) => string = words => words,
): readonly object[] {
  if (typeof content === 'string') return content === '' ? [] : [textContent(shape(content))];
  return objects(content).map(block => {
    const { type, text: words, source } = block;
    if (type === 'text') return textContent(shape(text(words) ?? ''));
    const { type: kind, data, media_type: mimeType, url } = object(source);
    if (type === 'image' && kind === 'base64' && text(data) && text(mimeType)) {
      return { type: 'content', content: { type: 'image', data, mimeType } };
    }
    return textContent(`[${[text(type) ?? 'content', text(url)].filter(Boolean).join(': ')}]`);
  });
}

export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .flatMap(block => (block['type'] === 'text' ? [text(block['text']) ?? ''] : []))
    .join('\n');
}
