import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { withoutEscapes } from '../../src/base/escapeSequences';
import type { ToolCallPart } from '../../src/session/state/state';
import { icon } from '../ui/icon';
import { toggled } from './contentView';
import type { ViewContext } from './context';
import { contentItem, openPlace, rawFolds } from './toolBody';
import { lineText, noteView, tip, toolName } from './toolLine';
import { statusSign } from './toolStatus';
import { lineWords, toolText, type ToolText } from './toolText';
import { baseName, folderOf, statusWord } from './words';

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
  const isThere = open || parts.length <= FEW || context.folds.isAllThere;
  return html`<details
    class="fold tool reads"
    data-fold=${key}
    role="group"
    aria-label=${`${text.before ?? ''} ${title}`}
    data-status=${running?.status ?? 'completed'}
    ?open=${open}
    @toggle=${toggled(context, key)}
  >
    <summary tabindex="-1" data-item>
      ${icon(text.icon)}${lineText(text, '')}${tip()}${
        running
          ? statusSign(context, running)
          : html`<span class="vh">${statusWord('completed')}</span>`
      }
    </summary>
    <div class="kids" role="list">
      ${isThere ? parts.map(part => readView(context, part)) : nothing}
    </div>
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
    data-id=${part.id}
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
            @click=${() => openPlace(context, part, 0)}
          >
            ${label}
          </button>`
        : html`<p class="go plain">${label}</p>`
    }
    ${part.content.map((content, index) => contentItem(context, part, content, index, true))}
    ${rawFolds(context, part)}${noteView(part)}
  </div>`;
}
