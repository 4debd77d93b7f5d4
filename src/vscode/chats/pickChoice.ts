import * as vscode from 'vscode';
import type { ConfigSelect } from '../../session/state/config';

/** Lets the user choose a value of one of the agent's options. */
export async function pickChoice(option: ConfigSelect): Promise<string | undefined> {
  const items = option.groups.flatMap(group => [
    ...(group.name === undefined
      ? []
      : [{ label: group.name, kind: vscode.QuickPickItemKind.Separator, value: '' }]),
    ...group.choices.map(choice => ({
      label: choice.name,
      value: choice.value,
      ...(choice.description !== undefined && { detail: choice.description }),
      ...(choice.value === option.value && { description: vscode.l10n.t('current') }),
    })),
  ]);
  const picked = await vscode.window.showQuickPick(items, {
    title: option.name,
    placeHolder: option.description ?? option.name,
    matchOnDetail: true,
  });
  return picked?.value;
}
