import type { Decision, PermissionRule } from './rule';

export interface ReadRules {
  readonly rules: readonly PermissionRule[];
  /** Places (from 1) of the entries that are no rules. */
  readonly bad: readonly number[];
}

const FIELDS = ['kind', 'title', 'command', 'path'] as const;
const DECISIONS: ReadonlySet<unknown> = new Set<Decision>(['allow', 'ask', 'reject']);

/**
 * The rules in a value of the setting; undefined when it is no list. Behind an entry that cannot be read none allows
 * anything: it may have stood against that.
 */
export function readRules(value: unknown): ReadRules | undefined {
  if (value === undefined) return { rules: [], bad: [] };
  if (!Array.isArray(value)) return undefined;
  const rules: PermissionRule[] = [];
  const bad: number[] = [];
  for (const [at, entry] of value.entries()) {
    const rule = readRule(entry);
    if (!rule) bad.push(at + 1);
    else if (bad.length === 0 || rule.decision !== 'allow') rules.push(rule);
  }
  return { rules, bad };
}

/** Undefined for what is no rule: one that allows has to say what. */
export function readRule(entry: unknown): PermissionRule | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const { decision, ...fields } = entry as Readonly<Record<string, unknown>>;
  if (!DECISIONS.has(decision)) return undefined;
  const given = Object.entries(fields);
  const isRead = given.every(
    ([name, value]) =>
      (FIELDS as readonly string[]).includes(name) && typeof value === 'string' && value !== '',
  );
  if (!isRead || (decision === 'allow' && given.length === 0)) return undefined;
  return {
    ...(Object.fromEntries(given) as Partial<PermissionRule>),
    decision: decision as Decision,
  };
}
