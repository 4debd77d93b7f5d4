import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { isBlank, visibleText } from '../../src/base/visibleText';
import {
  isCut,
  mayChoose,
  unopened,
  type AskedField,
  type PermissionOption,
  type PermissionRequest,
} from '../../src/session/state/permission';
import { button, innerIconButton } from '../ui/button';
import { icon } from '../ui/icon';
import { allView } from './askAll';
import { askLayout, isLasting, type NumberedOption } from './askLayout';
import { subjectOf, warning } from './askSubject';
import { fold } from './contentView';
import type { ViewContext } from './context';

/** A permission request: what would happen, in full, and a button for each of the agent's options. */
export function askView(context: ViewContext, request: PermissionRequest): TemplateResult {
  const { permissions } = context.session;
  const first = permissions[0]?.id === request.id;
  const subject = subjectOf(context, request, request.id);
  const more = permissions.length - 1 - permissions.indexOf(request);
  return html`<section
    class="ask"
    role="group"
    tabindex="-1"
    aria-label=${l10n.t('Permission: {0}', visibleText(request.title))}
    data-request-id=${request.id}
    data-tool-call-id=${request.toolCallId}
    @keydown=${(event: KeyboardEvent) => onKey(context, request, event)}
  >
    <div class="top">
      ${icon('bell-dot', { tone: 'warn' })}
      <div class="grow">
        <h2>${subject.question}</h2>
        ${subject.detail}
      </div>
      ${subject.action ?? nothing}
      ${innerIconButton({
        icon: 'shield',
        label: l10n.t('Add Rule…'),
        onClick: () => context.send({ type: 'addRule', requestId: request.id }),
      })}
    </div>
    <div class="in">
      ${beforeView(context, request)} ${subject.body} ${obstacleView(context, request, first)}
      ${optionsView(context, request, first)} ${allView(context, request)}
      <p class="hint">${hint(more)}</p>
    </div>
  </section>`;
}

/** What was asked before the agent changed it. */
function beforeView(context: ViewContext, request: PermissionRequest): unknown {
  const { before, id } = request;
  if (!before) return nothing;
  return html`${warning(l10n.t('The agent changed this request while it waited.'))}
  ${fold(context, l10n.t('Original request'), `${id}#before`, 'history', () => {
    const { question, detail, body } = subjectOf(context, before, `${id}#before`);
    return html`<div class="inside">
      <p>${question}</p>
      ${detail} ${body}
    </div>`;
  })}`;
}

/** Why it cannot be allowed now, and the way to that. */
function obstacleView(context: ViewContext, request: PermissionRequest, first: boolean): unknown {
  const { id: requestId, revision, changed } = request;
  const kind = first ? 'primary' : 'secondary';
  if (changed) {
    const what = changed.map(fieldWords).join(', ');
    return html`${warning(l10n.t('Changed by the agent: {0}. Review it again to allow it.', what))}
      <div class="acts">
        ${button({
          label: l10n.t('Review Again'),
          kind,
          onClick: event => {
            if (!isRepeated(event)) context.send({ type: 'reviewPermission', requestId, revision });
          },
        })}
      </div>`;
  }
  if (isCut(request)) {
    return warning(l10n.t('This request is too long to show, so it cannot be allowed.'));
  }
  if (unopened(request).length === 0) return nothing;
  return html`${warning(l10n.t('Open the parts that are cut off before you allow this.'))}
    <div class="acts">
      ${button({
        label: l10n.t('Open All'),
        kind,
        onClick: () => context.send({ type: 'openRequest', requestId }),
      })}
    </div>`;
}

function fieldWords(field: AskedField): string {
  switch (field) {
    case 'title':
      return l10n.t('its title');
    case 'kind':
      return l10n.t('its kind');
    case 'content':
      return l10n.t('its changes');
    case 'locations':
      return l10n.t('its files');
    case 'input':
      return l10n.t('its input');
    case 'terminal':
      return l10n.t('its command');
    default:
      return String(field satisfies never);
  }
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
  const key = alwaysKey(request);
  const open = context.folds.get(key, false);
  const menuId = `always-${request.id}`;
  return html`<div class="acts">
      ${layout.options.map(numbered => {
        const { option, place } = numbered;
        const filled = place === layout.filled;
        const isFree = context.isSettled && mayChoose(request, option);
        const kind = filled && first && isFree ? 'primary' : 'secondary';
        const answer = button({
          label: nameOf(option),
          kind,
          icon: iconOf(option),
          title: kindWords(option),
          disabled: !isFree,
          ...(place <= 9 ? { kbd: String(place) } : {}),
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
  const { option, place } = numbered;
  const isFree = context.isSettled && mayChoose(request, option);
  return html`<button
    type="button"
    class=${filled && isFree ? 'opt primary' : 'opt'}
    title=${kindWords(option)}
    ?disabled=${!isFree}
    @click=${(event: Event) => choose(context, request, numbered, event)}
  >
    ${icon(iconOf(option), { small: true })}<span class="grow">${nameOf(option)}</span>${
      place <= 9 ? html`<kbd aria-hidden="true">${place}</kbd>` : nothing
    }
  </button>`;
}

/** The agent's own name for it; where that shows nothing, what it does. */
function nameOf(option: PermissionOption): string {
  return isBlank(option.name) ? kindWords(option) : visibleText(option.name);
}

/** The kind decides what an option looks like, whatever it is called. */
function iconOf({ kind }: PermissionOption): string {
  switch (kind) {
    case 'allow_once':
      return 'check';
    case 'allow_always':
      return 'check-all';
    case 'reject_once':
      return 'close';
    case 'reject_always':
      return 'circle-slash';
    case 'unknown':
      return 'question';
  }
}

function kindWords({ kind }: PermissionOption): string {
  switch (kind) {
    case 'allow_once':
      return l10n.t('Allow once');
    case 'allow_always':
      return l10n.t('Allow, and do not ask again');
    case 'reject_once':
      return l10n.t('Reject once');
    case 'reject_always':
      return l10n.t('Reject, and do not ask again');
    case 'unknown':
      return l10n.t('Unknown answer');
  }
}

function choose(
  context: ViewContext,
  request: PermissionRequest,
  { option, place }: NumberedOption,
  event: Event,
): void {
  if (!context.isSettled || isRepeated(event) || !mayChoose(request, option)) return;
  const { id: requestId, revision } = request;
  context.send({ type: 'answerPermission', requestId, revision, option: place - 1 });
}

/** The second press of a double click must not answer what comes up in the place of the first. */
function isRepeated(event: Event): boolean {
  return event instanceof MouseEvent && event.detail > 1;
}

function onKey(context: ViewContext, request: PermissionRequest, event: KeyboardEvent): void {
  // One press answers one request: a key that is held answers none of those behind it.
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    context.toComposer();
    return;
  }
  const place = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  const option = request.options[place - 1];
  if (!option) return;
  event.preventDefault();
  event.stopPropagation();
  // What is out of sight has no key: the menu comes first.
  const layout = askLayout(request.options);
  const isHidden = layout.kind === 'row' && layout.lasting.length > 0 && isLasting(option);
  if (isHidden && !context.folds.get(alwaysKey(request), false)) {
    context.folds.set(alwaysKey(request), true);
  } else choose(context, request, { option, place }, event);
}

function alwaysKey({ id }: PermissionRequest): string {
  return `${id}#always`;
}

function hint(more: number): string {
  if (more === 1) return l10n.t('1 more request after this');
  if (more > 1) return l10n.t('{0} more requests after this', more);
  return l10n.t('1–9 to answer, Esc to return');
}
