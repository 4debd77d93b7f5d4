import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Terminal, ToolCallPart } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import { button, innerIconButton } from '../ui/button';
import { icon } from '../ui/icon';
import { askView } from './askView';
import { requestFor, terminalOf, type ViewContext } from './context';
import { changeCounts } from './diffView';
import { bodyView, hasBody } from './toolBody';
import { callElement, foldedLine } from './toolElements';
import { openSubagent } from './subagentPlace';
import { lineText, noteView, tip, toolName } from './toolLine';
import { failedExit, statusSign } from './toolStatus';
import { toolText } from './toolText';
import { changesOf, changeWords, fatesOf, filesOf, statusWord, toolsText } from './words';

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
    return callElement(
      part,
      { className: 'tool asking', status: 'awaiting' },
      html`<span class="vh">${statusWord('awaiting')}</span>
        ${keyed(request.id, askView(context, request))}`,
    );
  }
  const isFramed = isCard(context, part);
  const view =
    isFramed || nested
      ? cardView(context, part, { isFramed, turnId, nested })
      : rowView(context, part);
  return html`${view}${noteView(part)}`;
}

/** The commands that a call runs. */
export function terminalsOf(context: ViewContext, part: ToolCallPart): readonly Terminal[] {
  return part.content.flatMap(content => {
    const terminal =
      content.kind === 'terminal' ? terminalOf(context, content.terminalId) : undefined;
    return terminal ? [terminal] : [];
  });
}

function isCard(context: ViewContext, part: ToolCallPart): boolean {
  if (part.content.some(content => content.kind !== 'block')) return true;
  if (part.status === 'failed') return hasBody(context, part);
  return part.toolKind === 'execute' && part.content.length > 0;
}

interface CardLook {
  /** Else it looks as a line does, and is folded as one. */
  readonly isFramed: boolean;
  readonly turnId: string;
  readonly nested: Nested | undefined;
}

/** A line that opens, with what else can be done beside it. */
function cardView(
  context: ViewContext,
  part: ToolCallPart,
  { isFramed, turnId, nested }: CardLook,
): TemplateResult {
  const [terminal] = terminalsOf(context, part);
  const text = toolText(part, context.session.cwd, terminal);
  const isOpenAtFirst = isFramed
    ? part.status !== 'cancelled' && part.status !== 'rejected'
    : isFailedWithWords(part);
  const open = nested?.waits === true || context.folds.get(part.id, isOpenAtFirst);
  const steps = nested?.steps ?? 0;
  const changes = changesOf([part]);
  const counts = changes.added + changes.removed > 0;
  const diffs = part.content.flatMap(content => (content.kind === 'diff' ? [content.diff] : []));
  const files = filesOf(diffs).length;
  const fates = fatesOf(diffs);
  const kill = killOf(part, terminal);
  const inside = isFramed
    ? () =>
        html`${nested ? html`<div class="inside kids">${nested.view()}</div>` : nothing}${bodyView(context, part, files > 1)}`
    : () => html`<div class="kids">${nested?.view()}${bodyView(context, part, true)}</div>`;
  const look = failedExit(part, terminal) ? 'tool card bad' : 'tool card';
  return callElement(
    part,
    { className: isFramed ? look : 'tool plain', fold: part.id },
    html`<div class="th">
        <button
          type="button"
          class="turner"
          tabindex="-1"
          data-item
          aria-expanded=${open}
          @click=${() => context.folds.set(part.id, !open)}
        >
          ${icon(text.icon)}${lineText(text, part.title)}${isFramed ? nothing : tip()}
          ${steps > 0 ? html`<span class="num">${toolsText(steps)}</span>` : nothing}
          ${files > 1 ? html`<span class="num">${l10n.t('{0} files', files)}</span>` : nothing}
          ${fates === '' ? nothing : html`<span class="num">${fates}</span>`}
          ${changeCounts(changes.added, changes.removed)}${statusSign(context, part, terminal)}
          ${counts ? html`<span class="vh">${changeWords(changes.added, changes.removed)}</span>` : nothing}
        </button>
        ${
          nested
            ? innerIconButton({
                icon: 'screen-full',
                label: l10n.t('Open Subagent'),
                onClick: ({ currentTarget }) =>
                  openSubagent(currentTarget as HTMLElement, { turnId, partId: part.id }),
              })
            : nothing
        }
        ${
          kill
            ? button({
                label: l10n.t('Kill'),
                kind: 'secondary',
                tiny: true,
                inner: true,
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
      ${open ? inside() : nothing}`,
  );
}

function isFailedWithWords({ status, content }: ToolCallPart): boolean {
  return status === 'failed' && content.length > 0;
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

function rowView(context: ViewContext, part: ToolCallPart): TemplateResult {
  const [terminal] = terminalsOf(context, part);
  const text = toolText(part, context.session.cwd, terminal);
  const line = html`${icon(text.icon)}${lineText(text, part.title)}`;
  const sign = statusSign(context, part, terminal);
  if (!hasBody(context, part)) {
    return callElement(
      part,
      { className: 'fold tool' },
      html`<div class="line" tabindex="-1" data-item>${line}${sign}</div>`,
    );
  }
  const open = context.folds.get(part.id, isFailedWithWords(part));
  return foldedLine(context, {
    key: part.id,
    open,
    name: toolName(part),
    status: part.status,
    part,
    line,
    sign,
    kids: open ? html`<div class="kids">${bodyView(context, part, true)}</div>` : nothing,
  });
}
