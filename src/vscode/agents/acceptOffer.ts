import * as vscode from 'vscode';
import type { AgentOffer } from '../../agents/catalog/foundAgent';
import { formatCommandLine } from '../../agents/process/commandLine';
import { visibleText } from '../../base/visibleText';
import { showInformationMessage } from '../messages';
import { addAgent } from '../settings/addAgent';

/** Shows what would be run, and adds the agent to the user's settings if that is wanted. */
export async function acceptOffer(offer: AgentOffer): Promise<boolean> {
  const add = vscode.l10n.t('Add and Start');
  const detail = [
    offer.from === 'npm'
      ? vscode.l10n.t(
          'npx downloads it from npm at the first start, and runs it with your permissions each time:',
        )
      : vscode.l10n.t('It runs with your permissions each time:'),
    visibleText(formatCommandLine(offer.command, offer.args)),
    ...environment(offer),
    vscode.l10n.t('It is added to "parley.agents" in your user settings.'),
  ].join('\n\n');
  const answer = await showInformationMessage(question(offer), { modal: true, detail }, add);
  if (answer !== add) return false;
  const { command, args, env } = offer;
  await addAgent(offer.name, { command, args, ...(Object.keys(env).length > 0 && { env }) });
  return true;
}

function question({ name, from }: AgentOffer): string {
  switch (from) {
    case 'npm':
      return vscode.l10n.t('{0} is not installed. Run it with npx?', name);
    case 'zed':
      return vscode.l10n.t('Add {0} as it is set up in Zed?', name);
    case 'vscode':
      return vscode.l10n.t('Add {0} as it is set up in VS Code?', name);
  }
}

function environment({ env }: AgentOffer): string[] {
  const names = Object.keys(env);
  if (names.length === 0) return [];
  return [
    vscode.l10n.t(
      'With the environment variables {0}. Their values are copied to your user settings.',
      visibleText(names.join(', ')),
    ),
  ];
}
