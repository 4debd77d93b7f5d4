import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { AvailableCommand, Connection } from '../../src/session/state/state';

/** The quiet words beside Add Context: when the message goes, or what else could be typed. */
export function composerHint(view: {
  readonly agentName: string;
  readonly connection: Connection['kind'];
  readonly running: boolean;
  readonly steers: boolean;
  readonly text: string;
  readonly commands: readonly AvailableCommand[];
}): TemplateResult | typeof nothing {
  const { agentName, connection } = view;
  switch (connection) {
    case 'starting':
      return hint(l10n.t('Sent when ready'));
    case 'signIn':
      return hint(l10n.t('Sent after sign-in'));
    case 'failed':
      return view.text.trim() === '' ? nothing : hint(l10n.t('Your message is kept'));
    case 'stopped':
      return hint(l10n.t('Starts {0}', agentName), 'hide-xs');
    case 'ready':
      break;
    default:
      return assertNever(connection);
  }
  if (view.running) {
    if (view.text.trim() === '') return nothing;
    // Commands have a turn of their own.
    return view.steers && !view.text.startsWith('/')
      ? hint(l10n.t('Read right away; Alt+Enter queues'), 'hide-s')
      : hint(l10n.t('Sent when the agent is done'), 'hide-s');
  }
  const name = /^\/(\S+) $/.exec(view.text)?.[1];
  const expected = view.commands.find(command => command.name === name)?.hint;
  if (expected) return hint(l10n.t('then type: {0}', expected));
  if (view.text !== '' || view.commands.length === 0) return nothing;
  return html`<span class="hint cut grow hide-xs"
    ><span class="mono">/</span> ${l10n.t('commands')}</span
  >`;
}

function hint(text: string, className = ''): TemplateResult {
  return html`<span class="hint cut grow ${className}" title=${text}>${text}</span>`;
}
