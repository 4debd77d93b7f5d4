/** The limits of the user's subscription: a share of each window of time is used. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { number, object, text } from '../inProcess/json';

/** A warning is said from here on, in percent. */
const WARNING = 80;

interface Window {
  readonly name: string;
  readonly minutes: number | undefined;
  /** In percent. */
  readonly used: number;
  /** Seconds since 1970. */
  readonly resetsAt: number | undefined;
}

export class RateLimits {
  /** What was last said, by the window. */
  private readonly said = new Map<string, string>();

  /** @param snapshot of `account/rateLimits/updated`  @returns `notice` updates of what is new */
  notices(snapshot: Json): readonly object[] {
    return windowsOf(snapshot).flatMap(window => {
      const status = statusOf(window);
      const isNew = this.said.get(window.name) !== status;
      this.said.set(window.name, status);
      return isNew && status !== 'allowed' ? [noticeOf(window, status)] : [];
    });
  }
}

/** The windows as claude-agent-acp sends its own in `_meta` of `usage_update`. */
export function limitsMeta(snapshot: Json): readonly object[] {
  return windowsOf(snapshot).map(window => ({
    status: statusOf(window),
    rateLimitType: TYPES.get(window.minutes) ?? window.name,
    utilization: window.used / 100,
    ...(window.resetsAt !== undefined && { resetsAt: window.resetsAt }),
  }));
}

const TYPES: ReadonlyMap<number | undefined, string> = new Map([
  [300, 'five_hour'],
  [10_080, 'seven_day'],
]);

function windowsOf({ primary, secondary, limitName }: Json): readonly Window[] {
  return [primary, secondary].flatMap(each => {
    const window = object(each);
    const used = number(window['usedPercent']);
    if (used === undefined) return [];
    const minutes = number(window['windowDurationMins']);
    const time = durationOf(minutes);
    const model = text(limitName);
    const name = model === undefined ? time : `${model}, ${time}`;
    return [{ name, minutes, used, resetsAt: number(window['resetsAt']) }];
  });
}

function durationOf(minutes: number | undefined): string {
  if (minutes === undefined) return l10n.t('subscription');
  const hours = Math.max(1, Math.round(minutes / 60));
  return hours % 24 === 0 ? l10n.t('{0} days', hours / 24) : l10n.t('{0} hours', hours);
}

function statusOf({ used }: Window): 'allowed' | 'allowed_warning' | 'rejected' {
  if (used >= 100) return 'rejected';
  return used >= WARNING ? 'allowed_warning' : 'allowed';
}

function noticeOf({ name, used, resetsAt }: Window, status: string): object {
  const title =
    status === 'rejected'
      ? l10n.t('The usage limit ({0}) is reached.', name)
      : l10n.t('{0}% of the usage limit ({1}) is used.', Math.round(used), name);
  return {
    sessionUpdate: 'notice',
    severity: 'warning',
    title,
    ...(resetsAt !== undefined && {
      description: l10n.t('It resets at {0}.', new Date(resetsAt * 1000).toLocaleString()),
    }),
  };
}
