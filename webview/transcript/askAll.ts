import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { isReject, type PermissionRequest } from '../../src/session/state/permission';
import { isPlain } from '../../src/session/state/plainRequest';
import { button } from '../ui/button';
import { fold } from './contentView';
import type { ViewContext } from './context';
import { within } from './folds';
import { CODE, visible } from './visibleText';
import { relativePath } from './words';

/** What a row can show of a request before it must be looked at by itself, in UTF-16 units. */
const MAX_TEXT = 300;

/** All that waits, in the card of the first: one list, and one answer for those of its kind. */
export function allView(
  context: ViewContext,
  first: PermissionRequest,
): TemplateResult | typeof nothing {
  const { permissions } = context.session;
  if (permissions.length < 2 || permissions[0]?.id !== first.id) return nothing;
  const title = l10n.t('{0} requests are waiting', permissions.length);
  return fold(context, title, within(first.id, 'all'), 'list-unordered', () => {
    const alike = permissions.filter(request => isAlike(context, request, first));
    return html`<ul class="all" aria-label=${title}>
        ${permissions.map(
          request =>
            html`<li>
              <button type="button" class="go" @click=${(event: Event) => show(event, request)}>
                <span class="mono">${visible(textOf(context, request), CODE)}</span>
              </button>
            </li>`,
        )}
      </ul>
      <div class="acts">
        ${
          alike.length > 1
            ? button({
                label: l10n.t('Allow All {0} of This Kind', alike.length),
                kind: 'secondary',
                onClick: event => answerAll(context, alike, 'allow_once', event),
              })
            : nothing
        }
        ${button({
          label: l10n.t('Reject All'),
          kind: 'secondary',
          onClick: event => answerAll(context, permissions, 'reject_once', event),
        })}
      </div>`;
  });
}

/** Of one kind, and nothing that a row does not show: what is risky or long is answered by itself. */
function isAlike(
  { session }: ViewContext,
  request: PermissionRequest,
  first: PermissionRequest,
): boolean {
  if (request.asked.toolKind !== first.asked.toolKind || !isPlain(request, session.cwd))
    return false;
  if ((request.facts.command?.line ?? request.title).length > MAX_TEXT) return false;
  return request.options.some(({ kind }) => kind === 'allow_once');
}

function textOf({ session }: ViewContext, { asked, facts, title }: PermissionRequest): string {
  if (facts.command) return facts.command.line;
  const paths = asked.content.flatMap(item =>
    item.kind === 'diff' ? [relativePath(item.diff.path, session.cwd)] : [],
  );
  return paths.length > 0 ? [...new Set(paths)].join(', ') : title;
}

function answerAll(
  context: ViewContext,
  requests: readonly PermissionRequest[],
  kind: 'allow_once' | 'reject_once',
  event: Event,
): void {
  if (!context.isSettled || (event instanceof MouseEvent && event.detail > 1)) return;
  for (const { id: requestId, revision, options } of requests) {
    const own = options.findIndex(option => option.kind === kind);
    const option = own < 0 && kind === 'reject_once' ? options.findIndex(isReject) : own;
    if (option >= 0) context.send({ type: 'answerPermission', requestId, revision, option });
  }
}

function show(event: Event, { id }: PermissionRequest): void {
  event.currentTarget?.dispatchEvent(
    new CustomEvent<string>('parley-reveal', { detail: id, bubbles: true }),
  );
}
