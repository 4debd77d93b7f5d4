/** The limits of the user's subscription: a share of each window of time is used. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { number, object, text } from '../inProcess/json';

/** A warning is said from here on, in percent. */
const WARNING = 80;

/** What claude-agent-acp calls the windows of that many minutes. */
const TYPES: ReadonlyMap<number | undefined, string> = new Map([
  [300, 'five_hour'],
  [10_080, 'seven_day'],
]);

/**
 * The windows as claude-agent-acp sends its own in `_meta` of `usage_update`, one at a time.
 * @param snapshot of `account/rateLimits/updated`
 */
export function limitsMeta({ primary, secondary, limitName }: Json): readonly object[] {
  const model = text(limitName);
  return [primary, secondary].flatMap(each => {
    const window = object(each);
    const used = number(window['usedPercent']);
    if (used === undefined) return [];
    const minutes = number(window['windowDurationMins']);
    const resetsAt = number(window['resetsAt']);
    const time = durationOf(minutes);
    return [
      {
        status: statusOf(used),
        // Some models have windows of their own.
        rateLimitType: model === undefined ? (TYPES.get(minutes) ?? time) : `${model}, ${time}`,
        utilization: Math.min(1, used / 100),
        ...(resetsAt !== undefined && { resetsAt }),
      },
    ];
  });
}

function durationOf(minutes: number | undefined): string {
  if (minutes === undefined) return l10n.t('subscription');
  const hours = Math.max(1, Math.round(minutes / 60));
  return hours % 24 === 0 ? l10n.t('{0} days', hours / 24) : l10n.t('{0} hours', hours);
}

function statusOf(used: number): 'allowed' | 'allowed_warning' | 'rejected' {
  if (used >= 100) return 'rejected';
  return used >= WARNING ? 'allowed_warning' : 'allowed';
}
