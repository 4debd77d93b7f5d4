import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { icon } from '../ui/icon';

/** Makes the message box tall, and as high as its text again. */
export function expandButton(tall: boolean, onClick: () => void): TemplateResult {
  return html`<button
    type="button"
    class="icon expand"
    aria-label=${l10n.t('Expand Message Box')}
    aria-pressed=${tall}
    aria-keyshortcuts="Control+Alt+Enter"
    title=${
      tall
        ? l10n.t('Collapse Message Box (Ctrl+Alt+Enter)')
        : l10n.t('Expand Message Box (Ctrl+Alt+Enter)')
    }
    @click=${onClick}
  >
    ${icon(tall ? 'screen-normal' : 'screen-full')}
  </button>`;
}

export function isExpandKey(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && event.altKey && (event.ctrlKey || event.metaKey);
}
