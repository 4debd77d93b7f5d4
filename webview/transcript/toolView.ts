import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { withoutEscapes } from '../../src/base/escapeSequences';
import type {
  Terminal,
  ToolCallPart,
  ToolContent,
  ToolLocation,
} from '../../src/session/state/state';
import type { ContentView } from '../../src/session/state/content';
import type { Intent } from '../../src/shared/intents';
import { icon } from '../ui/icon';
import { askView } from './askView';
import { contentView, previewFold, toggled } from './contentView';
import { requestFor, terminalOf, type ViewContext } from './context';
import { changeCounts, diffInCard } from './diffView';
import { innerButton, innerIconButton } from './inner';
import { outputView, terminalView } from './terminalView';
import { failedExit, statusSign } from './toolStatus';
import { lineWords, toolText, type ToolText } from './toolText';
import { visible } from './visible';
import {
  baseName,
  changesOf,
  changeWords,
  fatesOf,
  filesOf,
  folderOf,
  statusWord,
  toolsText,
} from './words';

/** What a subagent does, under the call that began it. */
export interface Nested {
  /** Tool calls, its own and those below. */
  readonly steps: number;
  /** One of them waits for the user: it is not folded away. */
  readonly waits: boolean;
  readonly view: () => unknown;
}

/** One tool call: a request while it waits for the user, else a card or a line. */
export function toolView(
  context: ViewContext,
  part: ToolCallPart,
  turnId: string,
  nested?: Nested,
): TemplateResult {
  const request = requestFor(context, turnId, part.toolCallId);
  if (request) {
    return html`<div
      class="tool asking"
      role="group"
      aria-label=${toolName(part)}
      data-part="tool"
      data-tool-call-id=${part.toolCallId}
      data-kind=${part.toolKind}
      data-status="awaiting"
    >
      <span class="vh">${statusWord('awaiting')}</span>
      ${keyed(request.id, askView(context, request))}
    </div>`;
  }
  const view = isCard(part) ? cardView : rowView;
  return html`${view(context, part, nested)}${noteView(part)}`;
}

/** Which rule decided about it. */
function noteView({ note }: ToolCallPart): unknown {
  return note ? html`<p class="note">${visible(note)}</p>` : nothing;
}

export function toolName(part: ToolCallPart): string {
  return l10n.t('Tool: {0}', withoutEscapes(part.title) || part.toolKind);
}

export function terminalsOf(context: ViewContext, part: ToolCallPart): readonly Terminal[] {
  return part.content.flatMap(content => {
    const terminal =
      content.kind === 'terminal' ? terminalOf(context, content.terminalId) : undefined;
    return terminal ? [terminal] : [];
  });
}

function isCard(part: ToolCallPart): boolean {
  if (part.content.some(content => content.kind !== 'block')) return true;
  if (part.status === 'failed') return hasBody(part);
  return part.toolKind === 'execute' && part.content.length > 0;
}

function cardView(context: ViewContext, part: ToolCallPart, nested?: Nested): TemplateResult {
  const [terminal] = terminalsOf(context, part);
  const text = toolText(part, context.session.cwd, terminal);
  const open =
    nested?.waits === true ||
    context.folds.get(part.id, part.status !== 'cancelled' && part.status !== 'rejected');
  const changes = changesOf([part]);
  const counts = changes.added + changes.removed > 0;
  const diffs = part.content.flatMap(content => (content.kind === 'diff' ? [content.diff] : []));
  const files = filesOf(diffs).length;
  const fates = fatesOf(diffs);
  const kill = killOf(part, terminal);
  const inside = html`${nested ? html`<div class="inside kids">${nested.view()}</div>` : nothing}${bodyView(context, part, files > 1)}`;
  return html`<div
    class=${failedExit(part, terminal) ? 'tool card bad' : 'tool card'}
    role="group"
    aria-label=${toolName(part)}
    data-part="tool"
    data-tool-call-id=${part.toolCallId}
    data-kind=${part.toolKind}
    data-status=${part.status}
  >
    <div class="th">
      <button
        type="button"
        class="turner"
        tabindex="-1"
        data-item
        aria-expanded=${open}
        @click=${() => context.folds.set(part.id, !open)}
      >
        ${icon(text.icon)}${lineText(text, part.title)}
        ${files > 1 ? html`<span class="num">${l10n.t('{0} files', files)}</span>` : nothing}
        ${fates === '' ? nothing : html`<span class="num">${fates}</span>`}
        ${changeCounts(changes.added, changes.removed)}${statusSign(context, part, terminal)}
        ${counts ? html`<span class="vh">${changeWords(changes.added, changes.removed)}</span>` : nothing}
      </button>
      ${
        kill
          ? innerButton({
              label: l10n.t('Kill'),
              title: l10n.t('Kill this command'),
              onClick: () => context.send(kill),
            })
          : nothing
      }
      ${
        terminal?.owned
          ? innerIconButton({
              icon: 'link-external',
              label: l10n.t('Open Terminal'),
              title: terminal.takesInput
                ? l10n.t('Open Terminal, to type into it')
                : l10n.t(
                    'Open Terminal. The command takes no input: it runs without a pseudo-terminal',
                  ),
              onClick: () => context.send({ type: 'openTerminal', terminalId: terminal.id }),
            })
          : nothing
      }
      ${
        diffs[0]
          ? innerIconButton({
              icon: 'diff',
              label: l10n.t('Open Diff'),
              onClick: () => context.send({ type: 'openDiff', ref: diffs[0]?.ref ?? '' }),
            })
          : nothing
      }
    </div>
    ${open ? inside : context.folds.isAllThere ? html`<div hidden>${inside}</div>` : nothing}
  </div>`;
}

/** What ends the call, where it can be: the agent ends what it runs itself, and may do so after its turn. */
function killOf(part: ToolCallPart, terminal: Terminal | undefined): Intent | undefined {
  if (terminal && terminal.exit === undefined) {
    const { id: terminalId, owned, cancels } = terminal;
    if (cancels || (owned && part.status === 'running'))
      return { type: 'killTerminal', terminalId };
  }
  const { toolCallId, cancels, status } = part;
  return cancels && status === 'running' ? { type: 'cancelToolCall', toolCallId } : undefined;
}

function rowView(context: ViewContext, part: ToolCallPart, nested?: Nested): TemplateResult {
  const [terminal] = terminalsOf(context, part);
  const text = toolText(part, context.session.cwd, terminal);
  const line = html`${icon(text.icon)}${lineText(text, part.title)}`;
  const sign = statusSign(context, part, terminal);
  if (!nested && !hasBody(part)) {
    return html`<div
      class="fold tool"
      role="group"
      aria-label=${toolName(part)}
      data-part="tool"
      data-tool-call-id=${part.toolCallId}
      data-kind=${part.toolKind}
      data-status=${part.status}
    >
      <div class="line" tabindex="-1" data-item>${line}${sign}</div>
    </div>`;
  }
  const open =
    nested?.waits === true ||
    context.folds.get(part.id, part.status === 'failed' && part.content.length > 0);
  return html`<details
    class="fold tool"
    role="group"
    aria-label=${toolName(part)}
    data-part="tool"
    data-tool-call-id=${part.toolCallId}
    data-kind=${part.toolKind}
    data-status=${part.status}
    ?open=${open}
    @toggle=${toggled(context, part.id)}
  >
    <summary tabindex="-1" data-item>
      ${line}${tip()}${
        nested && nested.steps > 0
          ? html`<span class="num">${toolsText(nested.steps)}</span>`
          : nothing
      }${sign}
    </summary>
    ${
      open || context.folds.isAllThere
        ? html`<div class="kids">${nested?.view()}${bodyView(context, part, true)}</div>`
        : nothing
    }
  </details>`;
}

/** Neighbouring reads: one line, with an element for each call below it. */
export function readsView(context: ViewContext, parts: readonly ToolCallPart[]): TemplateResult {
  const [first] = parts;
  const key = `${first?.id ?? ''}#reads`;
  const running = parts.find(part => part.status === 'running' || part.status === 'pending');
  const title = l10n.t(
    '{0} files',
    new Set(parts.map(part => part.locations[0]?.path ?? part.id)).size,
  );
  const text: ToolText = {
    icon: 'eye',
    before: running ? l10n.t('Reading') : l10n.t('Read'),
    object: title,
  };
  return html`<details
    class="fold tool reads"
    role="group"
    aria-label=${`${text.before ?? ''} ${title}`}
    data-status=${running?.status ?? 'completed'}
    ?open=${context.folds.get(key, false)}
    @toggle=${toggled(context, key)}
  >
    <summary tabindex="-1" data-item>
      ${icon(text.icon)}${lineText(text, '')}${tip()}${
        running
          ? statusSign(context, running)
          : html`<span class="vh">${statusWord('completed')}</span>`
      }
    </summary>
    <div class="kids" role="list">${parts.map(part => readView(context, part))}</div>
  </details>`;
}

function readView(context: ViewContext, part: ToolCallPart): TemplateResult {
  const place = part.locations[0];
  const { object } = toolText(part, context.session.cwd);
  const label = html`${icon('file', { small: true })}<span
      class="cut"
      title=${withoutEscapes(place?.path ?? part.title)}
      ><span class="obj">${place ? baseName(place.path) : object}</span> ${
        place ? lineWords(place) || folderOf(place.path, context.session.cwd) : ''
      }</span
    ><span class="vh">${statusWord(part.status)}</span>`;
  return html`<div
    class="tool"
    role="listitem"
    aria-label=${toolName(part)}
    data-part="tool"
    data-tool-call-id=${part.toolCallId}
    data-kind=${part.toolKind}
    data-status=${part.status}
  >
    ${
      place
        ? html`<button
            type="button"
            class="go"
            tabindex="-1"
            @click=${() => open(context, part, 0)}
          >
            ${label}
          </button>`
        : html`<p class="go plain">${label}</p>`
    }
    ${part.content.map((content, index) => contentItem(context, part, content, index, true))}
    ${rawFolds(context, part)}${noteView(part)}
  </div>`;
}

function bodyView(context: ViewContext, part: ToolCallPart, named: boolean): TemplateResult {
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

function contentItem(
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
            @click=${() => open(context, part, index)}
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

function rawFolds(context: ViewContext, part: ToolCallPart): TemplateResult | typeof nothing {
  const { rawInput, rawOutput } = part;
  if (!rawInput && !rawOutput) return nothing;
  // What is shown already need not be shown as JSON too, unless nothing else is.
  return html`<div class="raws">
    ${rawInput ? previewFold(context, l10n.t('Input'), rawInput, `${part.id}#input`) : nothing}
    ${rawOutput ? previewFold(context, l10n.t('Output'), rawOutput, `${part.id}#output`) : nothing}
  </div>`;
}

function open(context: ViewContext, part: ToolCallPart, index: number): void {
  context.send({ type: 'openLocation', toolCallId: part.toolCallId, index });
}

function hasBody(part: ToolCallPart): boolean {
  return (
    part.content.length > 0 ||
    part.locations.length > 0 ||
    part.rawInput !== undefined ||
    part.rawOutput !== undefined
  );
}

function lineText(text: ToolText, title: string): TemplateResult {
  const whole =
    withoutEscapes(title) || [text.before, text.object, text.after].filter(Boolean).join(' ');
  return html`<span class="cut grow" title=${whole}
    >${text.before ? `${text.before} ` : nothing}<span class=${text.mono ? 'obj mono' : 'obj'}
      >${text.object}</span
    >${text.after ? html` <span class="hide-xs">${text.after}</span>` : nothing}</span
  >`;
}

function tip(): TemplateResult {
  return html`<i class="codicon tip codicon-chevron-right" aria-hidden="true"></i>`;
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
