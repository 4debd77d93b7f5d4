/** The contract of the page "Doctor". */

export interface DoctorState {
  readonly isRunning: boolean;
  readonly sections: readonly DoctorSection[];
}

export interface DoctorSection {
  readonly title: string;
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly level: 'ok' | 'note' | 'problem';
  readonly title: string;
  readonly detail?: string;
  /** Each problem has one. */
  readonly fix?: Fix;
}

/** What a button beside a finding does. */
export const FIXES = [
  'editAgents',
  'browseAgents',
  'endProcesses',
  'proxySettings',
  'trust',
  'showLog',
  'getNode',
  'getUv',
  'getGit',
  'openTerminal',
] as const;
export type Fix = (typeof FIXES)[number];

export type DoctorIntent =
  { readonly type: 'ready' | 'again' | 'copy' } | { readonly type: 'fix'; readonly fix: Fix };

/** The intent in `value`; undefined when it is not one. */
export function parseDoctorIntent(value: unknown): DoctorIntent | undefined {
  const { type, fix } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'ready' || type === 'again' || type === 'copy') return { type };
  const known = FIXES.find(other => other === fix);
  return type === 'fix' && known !== undefined ? { type, fix: known } : undefined;
}
