/** The limits of the user's subscription, said when the service warns of one, or refuses. */
import * as l10n from '@vscode/l10n';
import { dateText } from '../../../base/language';
import type { Json } from '../../../acp/schema/guards/primitives';
import { number, object, text } from '../inProcess/json';

export class RateLimits {
  /** What was last said, by the limit. */
  private readonly said = new Map<string, string>();

  /** @returns a `notice` update; undefined when the message says nothing new of a limit */
  notice(message: Json): object | undefined {
    if (message['type'] !== 'rate_limit_event') return undefined;
    const info = object(message['rate_limit_info']);
    const limit = text(info['rateLimitType']) ?? '';
    const status = text(info['status']) ?? '';
    if (this.said.get(limit) === status) return undefined;
    this.said.set(limit, status);
    const isReached = status === 'rejected';
    if (!isReached && status !== 'allowed_warning') return undefined;
    const share = number(info['utilization']);
    const title =
      isReached || share === undefined
        ? l10n.t('The usage limit ({0}) is reached.', nameOf(limit))
        : l10n.t('{0}% of the usage limit ({1}) is used.', percent(share), nameOf(limit));
    const resets = number(info['resetsAt']);
    return {
      sessionUpdate: 'notice',
      severity: 'warning',
      title,
      ...(resets !== undefined && {
        description: l10n.t(
          'It resets at {0}.',
          dateText(resets * 1000, { dateStyle: 'medium', timeStyle: 'short' }),
        ),
      }),
    };
  }
}

/** @param share of one, or in percent */
function percent(share: number): number {
  return Math.round(share <= 1 ? share * 100 : share);
}

function nameOf(limit: string): string {
  if (limit === 'five_hour') return l10n.t('5 hours');
  return limit.startsWith('seven_day') ? l10n.t('7 days') : l10n.t('subscription');
}
