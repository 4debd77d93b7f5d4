import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { innerIconButton } from '../ui/button';
import type { ViewContext } from './context';

/** Another answer to the prompt of a finished turn, also by another model or agent. */
export function tryAgainButtons({ send }: ViewContext, turnId: string): TemplateResult {
  return html`${innerIconButton({
    icon: 'refresh',
    label: l10n.t('Try Again'),
    title: l10n.t('Try Again: restores to before this prompt, then sends it again'),
    onClick: () => send({ type: 'tryAgain', turnId }),
  })}${innerIconButton({
    icon: 'chevron-down',
    label: l10n.t('Try Again With…'),
    title: l10n.t('Try Again With… (another model or agent)'),
    onClick: () => send({ type: 'tryAgainWith', turnId }),
  })}`;
}
