import * as vscode from 'vscode';
import type { LeftServer } from '../../agents/process/leftServers';
import type { ProcessTracker } from '../../agents/process/processTracker';
import { showInformationMessage } from '../messages';

/** UTF-16 units of a command line that a message has room for. */
const MAX_COMMAND = 80;

/** Lets the user say what becomes of servers that agents have left running. Unanswered, they end with the window. */
export async function askAboutServers(
  servers: readonly LeftServer[],
  processes: Pick<ProcessTracker, 'endServers' | 'keepServers'>,
  mask: (text: string) => string,
): Promise<void> {
  const [first] = servers;
  if (!first) return;
  const name = nameOf(first, mask);
  const isOne = servers.length === 1;
  const message = isOne
    ? vscode.l10n.t(
        'An agent left this running: {0}. It ends when this window closes unless you leave it running.',
        name,
      )
    : vscode.l10n.t(
        'An agent left this running: {0}, and {1} more. They end when this window closes unless you leave them running.',
        name,
        servers.length - 1,
      );
  const end = isOne ? vscode.l10n.t('End It') : vscode.l10n.t('End All');
  const leave = isOne ? vscode.l10n.t('Leave It') : vscode.l10n.t('Leave All');
  const answer = await showInformationMessage(message, end, leave);
  if (answer === end) processes.endServers(servers);
  if (answer === leave) processes.keepServers(servers);
}

function nameOf({ command, ports }: LeftServer, mask: (text: string) => string): string {
  const words = mask(command);
  const short = words.length > MAX_COMMAND ? `${words.slice(0, MAX_COMMAND - 1)}…` : words;
  return vscode.l10n.t('{0} (port {1})', short, ports.join(', '));
}
