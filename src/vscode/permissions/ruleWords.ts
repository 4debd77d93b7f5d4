import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import { ruleName, type PermissionRule } from '../../session/rules/rule';
import type { Suggestion } from '../../session/rules/suggestRules';

/** What the rules of a suggestion do, in a line of a list. */
export function suggestionLabel({ scope, rules }: Suggestion): string {
  const names = [...new Set(rules.map(rule => nameOf(rule, scope)))].join(', ');
  const isAllowed = rules[0]?.decision === 'allow';
  const sentence = isAllowed ? allowWords(scope, names) : rejectWords(scope, names);
  // What looks like an icon in a list's label becomes one.
  return visibleText(sentence).replaceAll('$(', '$ (');
}

function allowWords(scope: Suggestion['scope'], names: string): string {
  switch (scope) {
    case 'here':
      return vscode.l10n.t('Always allow {0} in this folder', names);
    case 'kind':
      return vscode.l10n.t('Always allow calls of this kind: {0}', names);
    case 'folder':
      return vscode.l10n.t('Always allow files in this folder: {0}', names);
    case 'everywhere':
    case 'anyArguments':
    case 'file':
    case 'title':
      return vscode.l10n.t('Always allow {0}', names);
  }
}

function rejectWords(scope: Suggestion['scope'], names: string): string {
  switch (scope) {
    case 'here':
      return vscode.l10n.t('Always reject {0} in this folder', names);
    case 'kind':
      return vscode.l10n.t('Always reject calls of this kind: {0}', names);
    case 'folder':
      return vscode.l10n.t('Always reject files in this folder: {0}', names);
    case 'everywhere':
    case 'anyArguments':
    case 'file':
    case 'title':
      return vscode.l10n.t('Always reject {0}', names);
  }
}

function nameOf(rule: PermissionRule, scope: Suggestion['scope']): string {
  return scope === 'here' && rule.command !== undefined ? rule.command : ruleName(rule);
}

/** As it stands in the settings. */
export function rulesJson(rules: readonly PermissionRule[]): string {
  return JSON.stringify(rules.length === 1 ? rules[0] : rules);
}
