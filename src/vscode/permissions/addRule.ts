import * as vscode from 'vscode';
import type { RuleSuggestions } from '../../session/requests/requestRules';
import { CommandPattern } from '../../session/rules/commandPattern';
import { readRules } from '../../session/rules/readRules';
import type { PermissionRule } from '../../session/rules/rule';
import { withRules } from '../../session/rules/withRules';
import { showInformationMessage } from '../messages';
import { userValues } from '../settings/userValue';
import { rulesJson, suggestionLabel } from './ruleWords';

/** Adds to the user's settings a rule that answers a request from now on: chosen, then shown as it will be written. */
export async function addRule({ suggestions, against }: RuleSuggestions): Promise<void> {
  const title = vscode.l10n.t('Add Permission Rule');
  if (suggestions.length === 0) {
    const open = vscode.l10n.t('Open Settings');
    const message = vscode.l10n.t(
      'No rule can be made for this request because Parley does not understand all of it.',
    );
    if ((await showInformationMessage(message, open)) === open) await openRules();
    return;
  }
  const picked = await vscode.window.showQuickPick(
    suggestions.map(suggestion => ({
      label: suggestionLabel(suggestion),
      detail: rulesJson(suggestion.rules).replaceAll('$(', '$ ('),
      suggestion,
    })),
    { title, placeHolder: vscode.l10n.t('Select what to do without asking from now on') },
  );
  if (!picked) return;
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Press Enter to add this to your user settings.'),
    value: rulesJson(picked.suggestion.rules),
    ignoreFocusOut: true,
    validateInput: value =>
      parsedRules(value) ? undefined : vscode.l10n.t('This is not a rule or a list of rules.'),
  });
  const rules = text === undefined ? undefined : parsedRules(text);
  if (!rules) return;
  const configuration = vscode.workspace.getConfiguration('parley');
  const { local } = userValues(configuration.inspect('permissions.rules'));
  const list: readonly unknown[] = Array.isArray(local) ? local : [];
  await configuration.update(
    'permissions.rules',
    withRules(list, rules, against),
    vscode.ConfigurationTarget.Global,
  );
}

export async function openRules(): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openSettings',
    '@id:parley.permissions.rules',
  );
}

/** Undefined for what cannot be read, or not be used. */
export function parsedRules(text: string): readonly PermissionRule[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const read = readRules(Array.isArray(value) ? value : [value]);
    if (!read || read.bad.length > 0 || read.rules.length === 0) return undefined;
    const isUsable = ({ command }: PermissionRule): boolean =>
      command === undefined || CommandPattern.of(command) !== undefined;
    return read.rules.every(isUsable) ? read.rules : undefined;
  } catch {
    return undefined;
  }
}
