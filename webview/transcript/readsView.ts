import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ToolCallPart } from '../../src/session/state/state';
import { icon } from '../ui/icon';
import type { ViewContext } from './context';
import { contentItem, placeButton, rawFolds } from './toolBody';
import { callElement, foldedLine } from './toolElements';
import { lineText, noteView } from './toolLine';
import { statusSign } from './toolStatus';
import { toolText, type ToolText } from './toolText';
import { statusWord } from './words';

/** So few have their elements in the document while they are folded too. */
const FEW = 8;

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
  const open = context.folds.get(key, false);
  return foldedLine(context, {
    key,
    open,
    name: `${text.before ?? ''} ${title}`,
    status: running?.status ?? 'completed',
    line: html`${icon(text.icon)}${lineText(text, '')}`,
    sign: running
      ? statusSign(context, running)
      : html`<span class="vh">${statusWord('completed')}</span>`,
    kids: html`<div class="kids" role="list">
      ${open || parts.length <= FEW ? parts.map(part => readView(context, part)) : nothing}
    </div>`,
  });
}

function readView(context: ViewContext, part: ToolCallPart): TemplateResult {
  const status = html`<span class="vh">${statusWord(part.status)}</span>`;
  const { object } = toolText(part, context.session.cwd);
  return callElement(
    part,
    { className: 'tool', role: 'listitem' },
    html`${
      placeButton(context, part, 0, status) ??
      html`<p class="go plain">
        ${icon('file', { small: true })}<span class="cut" title=${object}
          ><span class="obj">${object}</span></span
        >${status}
      </p>`
    }
    ${part.content.map((content, index) => contentItem(context, part, content, index, true))}
    ${rawFolds(context, part)}${noteView(part)}`,
  );
}
