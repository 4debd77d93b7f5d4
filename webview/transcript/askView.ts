import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PermissionRequest, ToolCallPart } from '../../src/session/state/state';
import { button } from '../ui/button';
import { icon } from '../ui/icon';
import { askLayout, type NumberedOption } from './askLayout';
import { contentView, openWhole } from './contentView';
import { terminalOf, type ViewContext } from './context';
import { changeCounts, diffWhole } from './diffView';
import { innerIconButton } from './inner';
import { riskSentence, riskyPieces, type Risk } from './riskyCommand';
import { commandInput, commandOf, editedPath, plainTitle } from './toolText';
import { baseName, changesOf, relativePath } from './words';

/** A permission request: what would happen, in full, and a button for each of the agent's options. */
export function askView(
  context: ViewContext,
  request: PermissionRequest,
  part?: ToolCallPart,
): TemplateResult {
  const { permissions } = context.session;
  const first = permissions[0]?.id === request.id;
  const subject = subjectOf(context, request, part);
  const more = permissions.length - 1 - permissions.indexOf(request);
  return html`<section
    class="ask"
    role="group"
    tabindex="-1"
    aria-label=${l10n.t('Permission: {0}', request.title)}
    data-request-id=${request.id}
    data-tool-call-id=${request.toolCallId}
    @keydown=${(event: KeyboardEvent) => onKey(context, request, event)}
  >
    <div class="top">
      ${icon('bell-dot', { tone: 'warn' })}
      <div class="grow">
        <h3>${subject.question}</h3>
        ${subject.detail}
      </div>
      ${subject.action ?? nothing}
    </div>
    <div class="in">
      ${subject.body} ${optionsView(context, request, first)}
      <p class="hint">${hint(more)}</p>
    </div>
  </section>`;
}

interface Subject {
  readonly question: string;
  readonly detail: TemplateResult | typeof nothing;
  readonly body: TemplateResult | typeof nothing;
  readonly action?: TemplateResult;
}

function subjectOf(context: ViewContext, request: PermissionRequest, part?: ToolCallPart): Subject {
  const { cwd } = context.session;
  const diffs = part?.content.flatMap(content => (content.kind === 'diff' ? [content.diff] : []));
  const [diff] = diffs ?? [];
  if (part && diff) {
    const { added, removed } = changesOf([part]);
    const name = baseName(editedPath(part) ?? diff.path);
    const command = part.toolKind === 'execute' ? commandInput(part) : undefined;
    return {
      question: l10n.t('Make this edit to {0}?', name),
      detail: html`<p>
        ${diffs?.map(({ path }) => relativePath(path, cwd)).join(', ')}
        ${changeCounts(added, removed)}
      </p>`,
      body: html`${command === undefined ? nothing : commandView(command)}
      ${diffs?.map(each => diffWhole(context, each))} ${blocksOf(context, part)}`,
      action: innerIconButton({
        icon: 'diff',
        label: l10n.t('Open Diff'),
        onClick: () => context.send({ type: 'openDiff', ref: diff.ref }),
      }),
    };
  }
  const terminalId = part?.content.find(content => content.kind === 'terminal')?.terminalId;
  const terminal = terminalId === undefined ? undefined : terminalOf(context, terminalId);
  const command = part ? commandOf(part, terminal) : undefined;
  if (part && (part.toolKind === 'execute' || command !== undefined)) {
    const text = command ?? plainCommand(request.title);
    const folder = terminal?.cwd ?? cwd;
    const title = plainTitle(request.title);
    return {
      question: l10n.t('Run this command?'),
      detail: html`<p title=${folder}>
        ${title === text || text.startsWith(title) ? l10n.t('In {0}', baseName(folder)) : l10n.t('{0}, in {1}', title, baseName(folder))}
      </p>`,
      body: html`${commandView(text)} ${command === undefined ? inputOf(context, part) : nothing}
      ${blocksOf(context, part)}`,
    };
  }
  return {
    question: request.title,
    detail:
      part && part.locations.length > 0
        ? html`<p>${part.locations.map(({ path }) => relativePath(path, cwd)).join(', ')}</p>`
        : nothing,
    body: part ? html`${inputOf(context, part)} ${blocksOf(context, part)}` : nothing,
  };
}

/** The whole title, without the backticks of a title that is code. */
function plainCommand(title: string): string {
  return /^`+([^`]+)`+$/.exec(title.trim())?.[1] ?? title;
}

function commandView(command: string): TemplateResult {
  const risks = riskyPieces(command);
  return html`<div class="block">
      <pre class="cmd" tabindex="-1">${marked(command, risks)}</pre>
    </div>
    ${
      risks[0]
        ? html`<p class="risk">
            ${icon('warning', { tone: 'warn' })}<span
              ><span class="mono">${risks[0].name}</span> ${riskSentence(risks[0].kind)}</span
            >
          </p>`
        : nothing
    }`;
}

function marked(command: string, risks: readonly Risk[]): readonly (string | TemplateResult)[] {
  const pieces: (string | TemplateResult)[] = [];
  let at = 0;
  for (const { start, end } of risks) {
    pieces.push(command.slice(at, start), html`<mark>${command.slice(start, end)}</mark>`);
    at = end;
  }
  pieces.push(command.slice(at));
  return pieces;
}

/** What the tool would be given: nothing is hidden in what the user approves. */
function inputOf(context: ViewContext, part: ToolCallPart): TemplateResult | typeof nothing {
  const { rawInput } = part;
  if (!rawInput || /^\s*(?:\{\s*\}|null|)\s*$/.test(rawInput.text)) return nothing;
  return html`<div class="block"><pre class="cmd" tabindex="-1">${rawInput.text}</pre></div>
    ${
      rawInput.truncated
        ? html`<p class="risk">
              ${icon('warning', { tone: 'warn' })}<span
                >${l10n.t('This is too long to show whole.')}</span
              >
            </p>
            ${openWhole(context, rawInput)}`
        : nothing
    }`;
}

function blocksOf(context: ViewContext, part: ToolCallPart): readonly TemplateResult[] {
  return part.content.flatMap((content, index) =>
    content.kind === 'block' ? [contentView(context, content.block, `${part.id}#${index}`)] : [],
  );
}

function optionsView(
  context: ViewContext,
  request: PermissionRequest,
  first: boolean,
): TemplateResult {
  const layout = askLayout(request.options);
  if (layout.kind === 'rows') {
    return html`<div class="opts">
      ${layout.options.map(numbered => optionRow(context, request, numbered, first && numbered.place === layout.filled))}
    </div>`;
  }
  const key = `${request.id}#always`;
  const open = context.folds.get(key, false);
  const menuId = `always-${request.id}`;
  return html`<div class="acts">
      ${layout.options.map(numbered => {
        const filled = numbered.place === layout.filled;
        const kind = filled && first ? 'primary' : 'secondary';
        const answer = button({
          label: numbered.option.name,
          kind,
          ...(numbered.place <= 9 ? { kbd: String(numbered.place) } : {}),
          onClick: event => choose(context, request, numbered, event),
        });
        if (!filled || layout.lasting.length === 0) return answer;
        return html`<span class="split"
          >${answer}${button({
            label: l10n.t('Always…'),
            kind,
            trailingIcon: open ? 'chevron-up' : 'chevron-down',
            ariaExpanded: open,
            ...(open ? { ariaControls: menuId } : {}),
            onClick: () => context.folds.set(key, !open),
          })}</span
        >`;
      })}
    </div>
    ${
      open && layout.lasting.length > 0
        ? html`<div class="always" id=${menuId}>
            ${layout.lasting.map(numbered => optionRow(context, request, numbered, false))}
          </div>`
        : nothing
    }`;
}

function optionRow(
  context: ViewContext,
  request: PermissionRequest,
  numbered: NumberedOption,
  filled: boolean,
): TemplateResult {
  return html`<button
    type="button"
    class=${filled ? 'opt primary' : 'opt'}
    @click=${(event: Event) => choose(context, request, numbered, event)}
  >
    <span class="grow">${numbered.option.name}</span>${
      numbered.place <= 9 ? html`<kbd aria-hidden="true">${numbered.place}</kbd>` : nothing
    }
  </button>`;
}

/** The second press of a double click must not answer the request that comes up in this one's place. */
function choose(
  context: ViewContext,
  request: PermissionRequest,
  { option }: NumberedOption,
  event: Event,
): void {
  if (event instanceof MouseEvent && event.detail > 1) return;
  context.send({ type: 'answerPermission', requestId: request.id, optionId: option.optionId });
}

function onKey(context: ViewContext, request: PermissionRequest, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    context.toComposer();
    return;
  }
  const option = /^[1-9]$/.test(event.key) ? request.options[Number(event.key) - 1] : undefined;
  if (!option) return;
  event.preventDefault();
  event.stopPropagation();
  context.send({ type: 'answerPermission', requestId: request.id, optionId: option.optionId });
}

function hint(more: number): string {
  if (more === 1) return l10n.t('1 more request waits behind this one.');
  if (more > 1) return l10n.t('{0} more requests wait behind this one.', more);
  return l10n.t('Press a number, or Tab to a button. Esc goes back to the message.');
}
