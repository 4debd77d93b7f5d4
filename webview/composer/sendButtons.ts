import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { icon } from '../ui/icon';

interface SendButtonsView {
  readonly running: boolean;
  readonly cancelling: boolean;
  /** What is sent while a turn runs reaches the agent in it. */
  readonly steers: boolean;
  /** There is something to send. */
  readonly canSend: boolean;
  readonly onStop: () => void;
  readonly onSend: () => void;
}

/** While a turn runs: Stop; with something to send also Send, which steers the turn or queues. */
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

function sendButton({ canSend, running, steers, onSend }: SendButtonsView): TemplateResult {
  const title = !canSend ? l10n.t('Type a message first') : sendTitle(running, steers);
  return html`<button
    type="button"
    class="btn primary send"
    aria-label=${running && steers ? l10n.t('Steer') : l10n.t('Send')}
    title=${title}
    ?disabled=${!canSend}
    @click=${onSend}
  >
    ${icon('arrow-up')}
  </button>`;
}

function sendTitle(running: boolean, steers: boolean): string {
  if (!running) return l10n.t('Send (Enter)');
  return steers
    ? l10n.t('Steer (Enter): the agent reads it right away. Alt+Enter: queued until it is done')
    : l10n.t('Send (Enter): queued until the agent is done');
}
