import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ContentView, Preview } from '../../src/session/state/content';
import type { ToolCallPart, ToolContent, ToolLocation } from '../../src/session/state/state';
import { withoutEscapes } from '../../src/base/escapeSequences';
import { icon } from '../ui/icon';
import { contentView, previewFold } from './contentView';
import { terminalOf, type ViewContext } from './context';
import { diffInCard } from './diffView';
import { longCommand, restOfCall, unfenced } from './restOfCall';
import { outputView, terminalView } from './terminalView';
import { lineWords } from './toolText';
import { baseName, folderOf } from './words';

/** Whether there is anything below the line of the call. */
export function hasBody(context: ViewContext, part: ToolCallPart): boolean {
  return part.content.length > 0 || part.locations.length > 0 || hasRest(context, part);
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
      isPlace(place) ? placeButton(context, part, index) : nothing,
    )}
  </div>`;
}

/** A place of a call, which it opens; undefined where the call names none. */
export function placeButton(
  context: ViewContext,
  part: ToolCallPart,
  index: number,
  more: unknown = nothing,
): TemplateResult | undefined {
  const place = part.locations[index];
  return (
    place &&
    html`<button
      type="button"
      class="go"
      tabindex="-1"
      title=${withoutEscapes(place.path)}
      @click=${() => context.send({ type: 'openLocation', toolCallId: part.toolCallId, index })}
    >
      ${icon('file', { small: true })}<span class="cut"
        ><span class="obj">${baseName(place.path)}</span> ${
          lineWords(place) || folderOf(place.path, context.session.cwd)
        }</span
      >${more}
    </button>`
  );
}

/** What the call was given and has brought that stands nowhere else. */
export function rawFolds(
  context: ViewContext,
  part: ToolCallPart,
): TemplateResult | typeof nothing {
  if (!hasRest(context, part)) return nothing;
  const { input, output } = restOfCall(part, context.session.cwd);
  const line = longCommand(part);
  const command = line === undefined ? undefined : { text: line, truncated: false };
  const shown: readonly (readonly [string, string, Preview | undefined])[] = [
    ['command', l10n.t('Command'), command],
    ['input', l10n.t('Input'), input],
    ['output', l10n.t('Output'), output],
  ];
  return html`<div class="raws">
    ${shown.map(([name, title, preview]) =>
      preview ? previewFold(context, title, preview, `${part.id}#${name}`) : nothing,
    )}
  </div>`;
}

function hasRest({ session }: ViewContext, part: ToolCallPart): boolean {
  const { input, output } = restOfCall(part, session.cwd);
  return (input ?? output ?? longCommand(part)) !== undefined;
}

/** A page or a data file that a tool tells of is code, whether the agent fences it or not. */
function readable(block: ContentView): ContentView {
  if (block.kind !== 'text' || !/^\s*<[a-z!?]/i.test(block.text.text)) return block;
  const { text } = block.text;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return { ...block, text: { ...block.text, text: `${fence}xml\n${text}\n${fence}` } };
}
