import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SessionState } from '../../src/session/state/state';
import type { ViewContext } from './context';
import { innerIconButton } from './inner';

/** Another answer to the prompt of a finished turn, also by another model where the agent offers one. */
export function tryAgainButtons({ session, send }: ViewContext, turnId: string): TemplateResult {
  return html`${innerIconButton({
    icon: 'refresh',
    label: l10n.t('Try Again'),
    title: l10n.t('Try Again: restores to before this prompt, then sends it again'),
    onClick: () => send({ type: 'tryAgain', turnId }),
  })}${
    hasModels(session)
      ? innerIconButton({
          icon: 'chevron-down',
          label: l10n.t('Try Again With Another Model…'),
          onClick: () => send({ type: 'tryAgainWith', turnId }),
        })
      : nothing
  }`;
}

/** Whether the agent offers a choice of models. */
export function hasModels({ configOptions }: Pick<SessionState, 'configOptions'>): boolean {
  const option = configOptions.find(({ category }) => category === 'model');
  return option?.type === 'select' && option.groups.flatMap(({ choices }) => choices).length > 1;
}
