import * as vscode from 'vscode';
import type { AgentChoice } from '../../shared/panelState';
import type { AgentDirectory } from './panelSource';
import { withoutMoving } from './withoutMoving';

export type PickedAgent =
  { readonly kind: 'agent'; readonly name: string } | { readonly kind: 'edit' | 'browse' };

type Item = vscode.QuickPickItem & { readonly choice?: PickedAgent };

/**
 * Lets the user choose an agent: what is here first, then what is offered. It shows at once what is known, while it is
 * looked again for what is installed.
 */
export function pickAgent(agents: AgentDirectory): Promise<PickedAgent | undefined> {
  return new Promise(resolve => {
    const pick = vscode.window.createQuickPick<Item>();
    pick.title = vscode.l10n.t('New Chat With…');
    pick.placeholder = vscode.l10n.t('Choose an agent');
    pick.matchOnDetail = true;
    pick.items = itemsOf(agents);
    const later = separator(vscode.l10n.t('Found Just Now'));
    const listener = agents.onDidChange(() => {
      const items = withoutMoving(pick.items, itemsOf(agents), keyOf, later);
      // What the user has moved to would be lost.
      if (JSON.stringify(items) !== JSON.stringify(pick.items)) pick.items = items;
    });
    pick.busy = true;
    void agents.search().finally(() => (pick.busy = false));
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]?.choice);
      pick.hide();
    });
    pick.onDidHide(() => {
      listener.dispose();
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

function keyOf({ label, choice }: Item): string {
  return JSON.stringify([label, choice]);
}

function itemsOf(agents: AgentDirectory): Item[] {
  const choices = agents.choices();
  const offered = choices.filter(({ offer }) => offer !== undefined);
  return [
    ...choices.filter(({ offer }) => offer === undefined).map(each => itemOf(each, agents)),
    ...(offered.length > 0 ? [separator(vscode.l10n.t('Asks before it is added'))] : []),
    ...offered.map(each => itemOf(each, agents)),
    separator(),
    { label: vscode.l10n.t('Browse Agents…'), choice: { kind: 'browse' } },
    { label: vscode.l10n.t('Edit Agents…'), choice: { kind: 'edit' } },
  ];
}

function separator(label = ''): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function itemOf({ name, detail, found, offer }: AgentChoice, agents: AgentDirectory): Item {
  return {
    label: name,
    description: offer ?? (name === agents.defaultAgent ? vscode.l10n.t('default') : ''),
    detail: found === false ? vscode.l10n.t('{0} (not found)', detail) : detail,
    choice: { kind: 'agent', name },
  };
}
