import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { icon } from '../ui/icon';

interface SendButtonsView {
  readonly running: boolean;
  readonly cancelling: boolean;
  /** There is something to send. */
  readonly canSend: boolean;
  readonly onStop: () => void;
  readonly onSend: () => void;
}

/** While a turn runs: Stop; with something to send also Send, which queues. */
export function sendButtons(view: SendButtonsView): TemplateResult {
  const { running, canSend } = view;
  return html`${running ? stopButton(view) : nothing}
  ${running && !canSend ? nothing : sendButton(view)}`;
}

function stopButton({ cancelling, onStop }: SendButtonsView): TemplateResult {
  return html`<button
    type="button"
    class="btn send"
    aria-label=${l10n.t('Stop')}
    title=${cancelling ? l10n.t('Stopping…') : l10n.t('Stop (Esc)')}
    ?disabled=${cancelling}
    @click=${onStop}
  >
    <i class="sq" aria-hidden="true"></i>
  </button>`;
}

function sendButton({ canSend, running, onSend }: SendButtonsView): TemplateResult {
  const title = !canSend
    ? l10n.t('Type a message first')
    : running
      ? l10n.t('Send (Enter): queued until the agent is done')
      : l10n.t('Send (Enter)');
  return html`<button
    type="button"
    class="btn primary send"
    aria-label=${l10n.t('Send')}
    title=${title}
    ?disabled=${!canSend}
    @click=${onSend}
  >
    ${icon('arrow-up')}
  </button>`;
}
