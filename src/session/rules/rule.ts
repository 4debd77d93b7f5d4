/** The user's rules about what agents may do without being asked: `parley.permissions.rules`. Pure. */

export type Decision = 'allow' | 'ask' | 'reject';

/** What it says nothing of does not matter to it. The first rule that fits decides. */
export interface PermissionRule {
  /** ACP's ToolKind: `read`, `edit`, `execute` … */
  readonly kind?: string;
  /** Of the call, as the agent words it; `*` is any text. */
  readonly title?: string;
  /** One command, word by word; `*` is any text in a word, and as the last word all that follow. */
  readonly command?: string;
  /** A glob from a workspace folder, or an absolute one. With `command`: the folder that it runs in. */
  readonly path?: string;
  readonly decision: Decision;
}

export interface RuleSet {
  /** In their order. */
  readonly user: readonly PermissionRule[];
  /** They can make things stricter and nothing else. */
  readonly workspace: readonly PermissionRule[];
  /** Globs of files that are asked about before they are written, besides those from which code is run. */
  readonly protectedFiles: readonly string[];
}

export const NO_RULES: RuleSet = { user: [], workspace: [], protectedFiles: [] };

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, reject: 2 };

export function isStricter(a: Decision, b: Decision): boolean {
  return STRICTNESS[a] > STRICTNESS[b];
}

/** The rule in few words, to be named by: `npm test`. */
export function ruleName({ kind, title, command, path }: PermissionRule): string {
  const what = command ?? [kind, title].filter(each => each !== undefined).join(' ');
  return path === undefined ? what : [what, path].filter(Boolean).join(' in ');
}
