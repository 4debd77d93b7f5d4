import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import type { AskedDefaults } from './askedDefaults';
import { showWarningMessage } from '../messages';

/** VS Code cuts messages off at a thousand characters, and what cannot be seen is not agreed to. */
const MAX_CHARACTERS = 600;

/**
 * Asks whether agents may start as the workspace wants them to.
 * @returns undefined when the user did not say
 */
export async function askAboutDefaults(asked: AskedDefaults): Promise<boolean | undefined> {
  const changes = changesText(asked);
  const isWhole = changes.length <= MAX_CHARACTERS;
  const message = isWhole
    ? vscode.l10n.t('This workspace wants to change how agents start: {0}', changes)
    : vscode.l10n.t(
        'This workspace wants to change how agents start. The changes are too long to show. To use them, copy them to your user settings.',
      );
  const use = vscode.l10n.t('Use');
  const ignore = vscode.l10n.t('Ignore');
  const show = vscode.l10n.t('Show Settings');
  const buttons = isWhole ? [use, ignore, show] : [ignore, show];
  for (;;) {
    const answer = await showWarningMessage(message, ...buttons);
    if (answer === use) return true;
    if (answer === ignore) return false;
    if (answer !== show) return undefined;
    await vscode.commands.executeCommand('workbench.action.openWorkspaceSettingsFile');
  }
}

function changesText({ defaultAgent, options }: AskedDefaults): string {
  const changes = options.map(({ agent, optionId, value, own }) => {
    const name = shown(agent);
    const option = shown(optionId);
    return own === undefined
      ? vscode.l10n.t('{0}: {1} = {2}', name, option, shown(value))
      : vscode.l10n.t('{0}: {1} = {2} instead of {3}', name, option, shown(value), shown(own));
  });
  if (defaultAgent) {
    const { value, own } = defaultAgent;
    changes.push(vscode.l10n.t('default agent: {0} instead of {1}', shown(value), shown(own)));
  }
  return changes.join('; ');
}

/** Quoted, so that no value reads as the next one; and never a link, which messages would make of it. */
function shown(value: string | boolean): string {
  if (typeof value === 'boolean') return String(value);
  return visibleText(JSON.stringify(value)).replaceAll('](', '] (');
}
