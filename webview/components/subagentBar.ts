import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { withoutEscapes } from '../../src/base/escapeSequences';
import { emitIntent } from '../intent';
import { statusSign } from '../transcript/toolStatus';
import { plainTitle } from '../transcript/toolText';
import { duration } from '../transcript/words';
import { iconButton } from '../ui/button';
import { icon } from '../ui/icon';
import type { ShownSubagent } from './openSubagents';

interface SubagentBarView {
  readonly subagent: ShownSubagent;
  readonly chatTitle: string;
  readonly now: () => number;
  readonly onBack: () => void;
}

/** Over a subagent's conversation: the way back, which subagent it is, and how it stands. */
export function subagentBar(view: SubagentBarView): TemplateResult {
  const { call, session, from } = view.subagent;
  const title = titleText(call.title);
  const waits = session.permissions.length + session.elicitations.length > 0;
  const { startedAt, endedAt, status, cancels, toolCallId } = call;
  return html`<nav class="subagent" aria-label=${l10n.t('Subagent')}>
    ${iconButton({
      icon: 'arrow-left',
      label: l10n.t('Back to {0}', from === undefined ? view.chatTitle : titleText(from)),
      onClick: view.onBack,
    })}
    <h2 class="cut grow" title=${title}>${title}</h2>
    ${
      waits
        ? html`<span class="st"
            >${icon('bell-dot', { small: true, tone: 'warn' })}<span class="vh"
              >${l10n.t('Waiting for you')}</span
            ></span
          >`
        : statusSign(view, call)
    }
    ${
      status === 'completed' && endedAt !== undefined
        ? html`<span class="st num">${duration(endedAt - startedAt, true)}</span>`
        : nothing
    }
    ${
      cancels && status === 'running'
        ? iconButton({
            icon: 'stop-circle',
            label: l10n.t('Stop {0}', title),
            title: l10n.t('Stop'),
            onClick: ({ currentTarget }) =>
              emitIntent(currentTarget as HTMLElement, { type: 'cancelToolCall', toolCallId }),
          })
        : nothing
    }
  </nav>`;
}

function titleText(title: string): string {
  return plainTitle(withoutEscapes(title)) || l10n.t('Subagent');
}
