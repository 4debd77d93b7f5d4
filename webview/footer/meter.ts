import { html, nothing, type TemplateResult } from 'lit';

import * as l10n from '@vscode/l10n';
import { moneyText, numberText } from '../../src/base/language';
import type { BudgetLeft } from '../../src/shared/panelState';
import type { Usage } from '../../src/session/state/state';
import { styles } from '../ui/styles';

/** From here on the share of the context shows in the warning colour, in percent. */
const HIGH = 80;

/** How full the context is; nothing when the agent has not sent both numbers. */
export function contextMeter(usage: Usage | undefined): TemplateResult | typeof nothing {
  if (usage?.used === undefined || !usage.size) return nothing;
  const percent = Math.min(100, Math.max(0, Math.round((100 * usage.used) / usage.size)));
  const [used, size] = [shortCount(usage.used), shortCount(usage.size)];
  return html`<span
    class=${percent >= HIGH ? 'ring high num' : 'ring num'}
    role="meter"
    aria-label=${l10n.t('Context')}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent}
    aria-valuetext=${l10n.t('{0} percent, {1} of {2} tokens', percent, used, size)}
    title=${l10n.t('Context: {0} of {1} tokens', used, size)}
    ${styles({ '--v': String(percent) })}
    >${percent}%</span
  >`;
}

/** What the chat has cost so far, if the agent says. */
export function costText(usage: Usage | undefined): TemplateResult | typeof nothing {
  if (!usage?.cost) return nothing;
  return html`<span class="num" title=${l10n.t('Cost of this chat')}>${money(usage.cost)}</span>`;
}

/** What is left of the budget, where there is one. */
export function budgetMeter(budget: BudgetLeft | undefined): TemplateResult | typeof nothing {
  if (!budget) return nothing;
  const { percent, text, title } = budget;
  return html`<span
    class=${100 - percent >= HIGH ? 'num bad' : 'num'}
    role="meter"
    aria-label=${l10n.t('Budget')}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent}
    aria-valuetext=${`${text}. ${title}`}
    title=${title}
    >${text}</span
  >`;
}

function money({ amount, currency }: NonNullable<Usage['cost']>): string {
  // Cents matter only from a cent on.
  const digits = amount !== 0 && Math.abs(amount) < 0.01 ? 4 : 2;
  try {
    return moneyText(amount, currency, digits);
  } catch {
    // Not a currency code: the agent's own word stands.
    return `${amount.toFixed(digits)} ${currency}`;
  }
}

/** `940`, `76k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  const millions = count / 1_000_000;
  return `${numberText(millions, 1)}M`;
}
