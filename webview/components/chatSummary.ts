import { html, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { ChatSummary } from '../../src/shared/panelState';
import { icon } from '../ui/icon';

/** What a chat is called in a list. */
export function summaryTitle(chat: ChatSummary): string {
  return chat.title ?? chat.firstPrompt ?? l10n.t('New chat');
}

/**
 * The sign and word at the end of a chat's row; undefined when only its age matters.
 * @param short whether its place says for whom it waits
 */
export function chatState(chat: ChatSummary, short = false): TemplateResult | undefined {
  switch (chat.state) {
    case 'waiting':
      return sign('bell-dot', short ? l10n.t('Waiting') : l10n.t('Waiting for you'), 'warn');
    case 'signIn':
      return sign('key', l10n.t('Sign-in needed'), 'warn');
    case 'working':
      return sign('loading', l10n.t('Working'), 'run');
    case 'connecting':
      return sign('loading', l10n.t('Connecting'), 'run');
    case 'failed':
      return sign('error', l10n.t('Failed'), 'bad');
    case 'ready':
    case 'stopped':
      if (chat.unread === 'failed') return sign('error', l10n.t('Failed'), 'bad');
      return chat.unread ? sign('circle-filled', l10n.t('Done'), 'run') : undefined;
    default:
      return assertNever(chat.state);
  }
}

function sign(name: string, text: string, tone: 'warn' | 'run' | 'bad'): TemplateResult {
  return html`<span class="state"
    >${icon(name, { small: true, tone, spin: name === 'loading' })}${text}</span
  >`;
}
