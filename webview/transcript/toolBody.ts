import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ContentView } from '../../src/session/state/content';
import type { ToolCallPart, ToolContent, ToolLocation } from '../../src/session/state/state';
import { icon } from '../ui/icon';
import { contentView, previewFold } from './contentView';
import { terminalOf, type ViewContext } from './context';
import { diffInCard } from './diffView';
import { outputView, terminalView } from './terminalView';
import { lineWords } from './toolText';
import { baseName, folderOf } from './words';

/** Whether there is anything below the line of the call. */
export function hasBody(part: ToolCallPart): boolean {
  return (
    part.content.length > 0 ||
    part.locations.length > 0 ||
    part.rawInput !== undefined ||
    part.rawOutput !== undefined
  );
}

/**
 * What a call was given and has brought.
 * @param named whether changes stand under the name of their file
 */
export function bodyView(context: ViewContext, part: ToolCallPart, named: boolean): TemplateResult {
  return html`${part.content.map((content, index) =>
    contentItem(
      context,
      part,
      content,
      index,
      named && !isSameFile(content, part.content[index - 1]),
    ),
  )}
  ${part.toolKind === 'edit' && part.content.length > 0 ? nothing : placesView(context, part)}
  ${rawFolds(context, part)}`;
}

/** Further changes of a file stand under its name. */
function isSameFile(content: ToolContent, before: ToolContent | undefined): boolean {
  return (
    content.kind === 'diff' && before?.kind === 'diff' && content.diff.path === before.diff.path
  );
}

export function contentItem(
  context: ViewContext,
  part: ToolCallPart,
  content: ToolContent,
  index: number,
  named: boolean,
): TemplateResult | typeof nothing {
  const key = `${part.id}#${index}`;
  switch (content.kind) {
    case 'diff':
      return diffInCard(context, content.diff, key, named);
    case 'terminal': {
      const terminal = terminalOf(context, content.terminalId);
      return terminal
        ? terminalView(context, terminal, key)
        : html`<p class="note">${l10n.t('The output of this command is not available.')}</p>`;
    }
    case 'block':
      if (part.toolKind === 'execute' && content.block.kind === 'text') {
        const text = unfenced(content.block.text.text);
        return outputView(context, text, key, false);
      }
      return html`<div class="inside">${contentView(context, readable(content.block), key)}</div>`;
    default:
      return html`${String(content satisfies never)}`;
  }
}

function placesView(context: ViewContext, part: ToolCallPart): TemplateResult | typeof nothing {
  // The folder that a command runs in is no place to go to when it is the chat's own.
  const isPlace = ({ path }: ToolLocation): boolean => path !== context.session.cwd;
  if (!part.locations.some(isPlace)) return nothing;
  return html`<div class="inside">
    ${part.locations.map((place, index) =>
      isPlace(place)
        ? html`<button
            type="button"
            class="go"
            tabindex="-1"
            title=${place.path}
            @click=${() => openPlace(context, part, index)}
          >
            ${icon('file', { small: true })}<span class="cut"
              ><span class="obj">${baseName(place.path)}</span> ${
                lineWords(place) || folderOf(place.path, context.session.cwd)
              }</span
            >
          </button>`
        : nothing,
    )}
  </div>`;
}

export function rawFolds(
  context: ViewContext,
  part: ToolCallPart,
): TemplateResult | typeof nothing {
  const { rawInput, rawOutput } = part;
  if (!rawInput && !rawOutput) return nothing;
  // What is shown already need not be shown as JSON too, unless nothing else is.
  return html`<div class="raws">
    ${rawInput ? previewFold(context, l10n.t('Input'), rawInput, `${part.id}#input`) : nothing}
    ${rawOutput ? previewFold(context, l10n.t('Output'), rawOutput, `${part.id}#output`) : nothing}
  </div>`;
}

export function openPlace(context: ViewContext, part: ToolCallPart, index: number): void {
  context.send({ type: 'openLocation', toolCallId: part.toolCallId, index });
}

/** A page or a data file that a tool tells of is code, whether the agent fences it or not. */
function readable(block: ContentView): ContentView {
  if (block.kind !== 'text' || !/^\s*<[a-z!?]/i.test(block.text.text)) return block;
  const { text } = block.text;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return { ...block, text: { ...block.text, text: `${fence}xml\n${text}\n${fence}` } };
}

/** Agents put a command's output in a code fence. */
function unfenced(text: string): string {
  const fence = /^\s*(`{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  return fence?.[2] ?? text;
}
