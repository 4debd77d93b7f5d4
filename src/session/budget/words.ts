import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/language';
import type { Measure } from './measures';
import type { Standing } from './standings';

/** `8,000 of 10,000 tokens` */
export function usedText({ measure, used, limit }: Standing): string {
  const [some, all] = [rounded(measure, used), rounded(measure, limit)];
  switch (measure) {
    case 'tokens':
      return l10n.t('{0} of {1} tokens', some, all);
    case 'money':
      return l10n.t('{0} of {1} (money)', some, all);
    case 'minutes':
      return l10n.t('{0} of {1} minutes', some, all);
    case 'files':
      return l10n.t('{0} of {1} changed files', some, all);
  }
}

export function warningText(standing: Standing): string {
  const used = usedText(standing);
  return standing.scope === 'chat'
    ? l10n.t("Most of this chat's budget is used: {0}.", used)
    : l10n.t("Most of today's budget is used: {0}.", used);
}

export function questionText(standing: Standing): string {
  const used = usedText(standing);
  return standing.scope === 'chat'
    ? l10n.t('The budget of this chat is used up: {0}. Continue?', used)
    : l10n.t("Today's budget is used up: {0}. Continue?", used);
}

/** `20% left` */
export function leftText({ used, limit }: Standing): string {
  return l10n.t('{0}% left', Math.max(0, Math.floor(100 - (100 * used) / limit)));
}

export function leftTitle(standing: Standing): string {
  const used = usedText(standing);
  return standing.scope === 'chat'
    ? l10n.t("This chat's budget: {0} used", used)
    : l10n.t("Today's budget: {0} used", used);
}

function rounded(measure: Measure, amount: number): string {
  const digits = measure === 'money' ? 2 : measure === 'minutes' ? 1 : 0;
  return numberText(amount, digits);
}
