/** What is used of the user's subscription, as `_meta` of a `usage_update` says it: one window of time each. */
import * as l10n from '@vscode/l10n';
import { dateText } from '../../base/language';
import { fieldsOf } from '../../base/isRecord';
import { HIGH_USAGE, type UsageLimit } from '../state/usage';

/** Of claude-agent-acp; the programs that Parley speaks to without an adapter are put into the same form. */
const KEY = '_claude/rateLimit';

/** Windows of one chat. */
const MAX_WINDOWS = 20;

export function limitOf(meta: unknown): UsageLimit | undefined {
  const { status, rateLimitType, utilization, resetsAt } = fieldsOf(fieldsOf(meta)[KEY]);
  if (typeof status !== 'string') return undefined;
  const window = typeof rateLimitType === 'string' ? rateLimitType.slice(0, 100) : '';
  const used = typeof utilization === 'number' ? percent(utilization) : undefined;
  return {
    window,
    name: windowName(window),
    state: stateOf(status, used),
    ...(used !== undefined && { used }),
    ...(typeof resetsAt === 'number' && { resetsAt: resetsAt * 1000 }),
  };
}

/** @returns all windows, the latest said in the place of what was said of it before */
export function withLimit(limits: readonly UsageLimit[], limit: UsageLimit): readonly UsageLimit[] {
  const others = limits.filter(({ window }) => window !== limit.window);
  return [...others, limit].slice(-MAX_WINDOWS);
}

/** What is to be said to the user; undefined when it was said already, or is nothing to worry about. */
export function limitWarning(
  limit: UsageLimit,
  before: readonly UsageLimit[],
): { readonly title: string; readonly detail?: string } | undefined {
  const known = before.find(({ window }) => window === limit.window);
  const isSaid = known?.state === limit.state && known.resetsAt === limit.resetsAt;
  if (limit.state === 'allowed' || isSaid) return undefined;
  const { name, used, resetsAt } = limit;
  const title =
    limit.state === 'reached' || used === undefined
      ? l10n.t('The usage limit ({0}) is reached.', name)
      : l10n.t('{0}% of the usage limit ({1}) is used.', used, name);
  return {
    title,
    ...(resetsAt !== undefined && {
      detail: l10n.t(
        'It resets at {0}.',
        dateText(resetsAt, { dateStyle: 'medium', timeStyle: 'short' }),
      ),
    }),
  };
}

function windowName(window: string): string {
  if (window === 'five_hour') return l10n.t('5 hours');
  if (window.startsWith('seven_day')) return l10n.t('7 days');
  return window || l10n.t('subscription');
}

function stateOf(status: string, used: number | undefined): UsageLimit['state'] {
  if (status === 'rejected') return 'reached';
  return status === 'allowed_warning' || (used ?? 0) >= HIGH_USAGE ? 'warning' : 'allowed';
}

/** @param share of one, or in percent */
function percent(share: number): number {
  return Math.round(Math.max(0, share <= 1 ? share * 100 : share));
}
