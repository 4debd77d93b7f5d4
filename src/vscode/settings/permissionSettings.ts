import * as vscode from 'vscode';
import { readRules } from '../../session/rules/readRules';
import type { RuleSet } from '../../session/rules/rule';
import type { UserValues } from './userValue';

type Get = (name: 'permissions.rules' | 'permissions.protectedFiles') => unknown;

export interface PermissionSources {
  /** The user's values, of the remote machine and of this one. */
  readonly user: (name: Parameters<Get>[0]) => UserValues;
  readonly workspace: Get;
  /** Notes a value that cannot be used. */
  readonly complain: (name: string, expected: string) => void;
  readonly problem: (text: string) => void;
}

/** The rules of the remote machine, of the user and of the workspace, which can only make things stricter. */
export function readPermissionSettings(sources: PermissionSources): RuleSet {
  const { user, workspace, complain, problem } = sources;
  const rulesOf = (value: unknown) => {
    const read = readRules(value);
    if (!read || read.bad.length > 0) {
      const where = read ? `[${read.bad.join(', ')}]` : '';
      complain(
        `permissions.rules${where}`,
        vscode.l10n.t('an array of rules, each with a decision and what it applies to'),
      );
    }
    return read?.rules ?? [];
  };
  const filesOf = (value: unknown): readonly string[] => {
    if (value === undefined) return [];
    const files = Array.isArray(value) ? value.filter(each => typeof each === 'string') : undefined;
    if (!files || files.length !== (value as readonly unknown[]).length) {
      complain('permissions.protectedFiles', vscode.l10n.t('an array of glob patterns'));
    }
    return files?.filter(each => each !== '') ?? [];
  };
  const rules = user('permissions.rules');
  const files = user('permissions.protectedFiles');
  const added = rulesOf(workspace('permissions.rules'));
  if (added.some(({ decision }) => decision === 'allow')) {
    problem(
      vscode.l10n.t(
        '{0} in this workspace is ignored where it allows something. A workspace can only ask or reject.',
        'parley.permissions.rules',
      ),
    );
  }
  return {
    user: [...rulesOf(rules.remote), ...rulesOf(rules.local)],
    workspace: added.filter(({ decision }) => decision !== 'allow'),
    protectedFiles: [
      ...new Set(
        [files.remote, files.local, workspace('permissions.protectedFiles')].flatMap(filesOf),
      ),
    ],
  };
}
