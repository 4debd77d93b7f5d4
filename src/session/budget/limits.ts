/** The setting `parley.budget`. Pure. */
import { isRecord } from '../../base/isRecord';
import { MEASURES, type Amounts } from './measures';

export const SCOPES = ['chat', 'day'] as const;
export type Scope = (typeof SCOPES)[number];

export type Limits = Partial<Amounts>;
/** Of each chat, and of each day in all windows. */
export type Budget = Readonly<Record<Scope, Limits>>;

export const NO_BUDGET: Budget = { chat: {}, day: {} };

/** Names of what is wrong in `value` are given to `complain`; what is right counts. */
export function readBudget(value: unknown, complain: (name: string) => void): Budget {
  if (value === undefined || value === null) return NO_BUDGET;
  if (!isRecord(value)) {
    complain('');
    return NO_BUDGET;
  }
  const limits = (scope: Scope): Limits => {
    const given = value[scope];
    if (given === undefined) return {};
    if (!isRecord(given)) {
      complain(scope);
      return {};
    }
    return Object.fromEntries(
      MEASURES.flatMap(measure => {
        const limit = given[measure];
        if (limit === undefined) return [];
        if (typeof limit === 'number' && limit > 0 && Number.isFinite(limit))
          return [[measure, limit]];
        complain(`${scope}.${measure}`);
        return [];
      }),
    );
  };
  return { chat: limits('chat'), day: limits('day') };
}

/** The stricter of both, limit by limit. */
export function stricter(one: Budget, other: Budget): Budget {
  const lower = (scope: Scope): Limits =>
    Object.fromEntries(
      MEASURES.flatMap(measure => {
        const both = [one[scope][measure], other[scope][measure]].filter(
          each => each !== undefined,
        );
        return both.length === 0 ? [] : [[measure, Math.min(...both)]];
      }),
    );
  return { chat: lower('chat'), day: lower('day') };
}

/** The first limit of `other` that is less strict than that of `one`. */
export function looserLimit(
  one: Budget,
  other: Budget,
): { readonly name: string; readonly strict: number; readonly loose: number } | undefined {
  for (const scope of SCOPES) {
    for (const measure of MEASURES) {
      const [strict, loose] = [one[scope][measure], other[scope][measure]];
      if (strict === undefined || loose === undefined || loose <= strict) continue;
      return { name: `${scope}.${measure}`, strict, loose };
    }
  }
  return undefined;
}

export function hasLimits(budget: Budget): boolean {
  return SCOPES.some(scope => Object.keys(budget[scope]).length > 0);
}
