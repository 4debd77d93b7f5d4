/** Where spending stands beside the limits. Pure. */
import { SCOPES, type Budget, type Scope } from './limits';
import { MEASURES, type Amounts, type Measure } from './measures';

/** From this share on the user is warned. */
const WARN = 0.8;

/** What is spent of one limit. */
export interface Standing {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly used: number;
  /** With what the user has allowed beyond the setting. */
  readonly limit: number;
  readonly level: 'fine' | 'near' | 'over';
}

export interface Spending {
  readonly used: Amounts;
  /** How often the user has said to go on: each time the limit is allowed once more. */
  readonly allowed: Partial<Record<Measure, number>>;
}

/** Where each limit stands, the one that is nearest to its end first. */
export function standings(budget: Budget, spending: Readonly<Record<Scope, Spending>>): Standing[] {
  const all = SCOPES.flatMap(scope =>
    MEASURES.flatMap(measure => {
      const once = budget[scope][measure];
      if (once === undefined) return [];
      const { used, allowed } = spending[scope];
      const limit = once * (1 + (allowed[measure] ?? 0));
      return [{ scope, measure, used: used[measure], limit, level: levelOf(used[measure], limit) }];
    }),
  );
  return all.sort((a, b) => b.used / b.limit - a.used / a.limit);
}

/** How often the limit has to be allowed once more until `used` is below it. */
export function allowances(once: number, used: number): number {
  return Math.max(0, Math.floor(used / once));
}

function levelOf(used: number, limit: number): Standing['level'] {
  if (used >= limit) return 'over';
  return used >= WARN * limit ? 'near' : 'fine';
}
