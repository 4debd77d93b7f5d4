import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { dateText, moneyText, numberText } from '../../src/base/language';
import type { BudgetLeft } from '../../src/shared/panelState';
import { HIGH_USAGE, type Usage, type UsageLimit } from '../../src/session/state/usage';
import { icon } from '../ui/icon';
import { styles } from '../ui/styles';

const WARNING = icon('warning', { small: true, tone: 'warn' });

/** How full the context is; nothing when the agent has not sent both numbers. */
export function contextMeter(usage: Usage | undefined): TemplateResult | typeof nothing {
  if (usage?.used === undefined || !usage.size) return nothing;
  const percent = Math.min(100, Math.max(0, Math.round((100 * usage.used) / usage.size)));
  const [used, size] = [shortCount(usage.used), shortCount(usage.size)];
  return html`<span
    class=${percent >= HIGH_USAGE ? 'ring high num' : 'ring num'}
    role="meter"
    aria-label=${l10n.t('Context')}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent}
    aria-valuetext=${l10n.t('{0} percent, {1} of {2} tokens', percent, used, size)}
    title=${l10n.t('Context: {0}%, {1} of {2} tokens', percent, used, size)}
    ${styles({ '--v': String(percent) })}
    >${percent}%</span
  >`;
}

/** What the chat has cost so far, if the agent says. */
export function costText(usage: Usage | undefined): TemplateResult | typeof nothing {
  if (!usage?.cost) return nothing;
  return html`<span class="num cost" title=${l10n.t('Cost of this chat')}
    >${money(usage.cost)}</span
  >`;
}

/** What is used of the subscription: the window that is used most, and all of them behind it. */
export function limitMeter(usage: Usage | undefined, now: number): TemplateResult | typeof nothing {
  const running = (usage?.limits ?? []).filter(({ resetsAt = Infinity }) => resetsAt > now);
  const [most] = [...running].sort((a, b) => usedOf(b) - usedOf(a));
  if (!most) return nothing;
  const title = running.map(limitText).join('\n');
  const isHigh = most.state !== 'allowed';
  return html`<span
    class=${isHigh ? 'num high' : 'num hide-s'}
    role="meter"
    aria-label=${l10n.t('Usage limit')}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.min(100, usedOf(most))}
    aria-valuetext=${title}
    title=${title}
    >${isHigh ? WARNING : nothing}${most.name} ${usedOf(most)}%</span
  >`;
}

function limitText(limit: UsageLimit): string {
  const { name, resetsAt } = limit;
  const used = usedOf(limit);
  return resetsAt === undefined
    ? l10n.t('Usage limit, {0}: {1}% used', name, used)
    : l10n.t(
        'Usage limit, {0}: {1}% used, resets at {2}',
        name,
        used,
        dateText(resetsAt, { dateStyle: 'medium', timeStyle: 'short' }),
      );
}

function usedOf({ used, state }: UsageLimit): number {
  return used ?? (state === 'allowed' ? 0 : state === 'reached' ? 100 : HIGH_USAGE);
}

/** What is left of the budget, where there is one. */
export function budgetMeter(budget: BudgetLeft | undefined): TemplateResult | typeof nothing {
  if (!budget) return nothing;
  const { percent, text, title } = budget;
  const isHigh = 100 - percent >= HIGH_USAGE;
  return html`<span
    class=${isHigh ? 'num high' : 'num'}
    role="meter"
    aria-label=${l10n.t('Budget')}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent}
    aria-valuetext=${`${text}. ${title}`}
    title=${title}
    >${isHigh ? WARNING : nothing}${text}</span
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
