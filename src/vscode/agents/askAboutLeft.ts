import * as vscode from 'vscode';
import { endProgram, type LeftProgram } from '../../agents/process/leftPrograms';
import type { LeftServer } from '../../agents/process/leftServers';
import { listProcesses } from '../../agents/process/processTable';
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
  const command = short(first, mask);
  const name = vscode.l10n.t('{0} (port {1})', command, first.ports.join(', '));
  const message =
    servers.length === 1
      ? vscode.l10n.t(
          'An agent left this running: {0}. It ends when this window closes unless you leave it running.',
          name,
        )
      : vscode.l10n.t(
          'An agent left this running: {0}, and {1} more. They end when this window closes unless you leave them running.',
          name,
          servers.length - 1,
        );
  const answer = await ask(message, servers.length === 1);
  if (answer === 'end') processes.endServers(servers);
  if (answer === 'leave') processes.keepServers(servers);
}

/** The same for what a turn that was stopped has left. Unanswered, it ends with the agent. */
export async function askAboutStopped(
  agent: string,
  programs: readonly LeftProgram[],
  mask: (text: string) => string,
): Promise<void> {
  const [first] = programs;
  if (!first) return;
  const name = short(first, mask);
  const message =
    programs.length === 1
      ? vscode.l10n.t(
          'You stopped {0}, and this still runs: {1}. It ends with the agent unless you end it now.',
          agent,
          name,
        )
      : vscode.l10n.t(
          'You stopped {0}, and this still runs: {1}, and {2} more. They end with the agent unless you end them now.',
          agent,
          name,
          programs.length - 1,
        );
  if ((await ask(message, programs.length === 1)) !== 'end') return;
  for (const program of programs) endProgram(program, listProcesses);
}

async function ask(message: string, isOne: boolean): Promise<'end' | 'leave' | undefined> {
  const end = isOne ? vscode.l10n.t('End It') : vscode.l10n.t('End All');
  const leave = isOne ? vscode.l10n.t('Leave It') : vscode.l10n.t('Leave All');
  const answer = await showInformationMessage(message, end, leave);
  if (answer === end) return 'end';
  return answer === leave ? 'leave' : undefined;
}

function short({ command }: LeftProgram, mask: (text: string) => string): string {
  const words = mask(command);
  return words.length > MAX_COMMAND ? `${words.slice(0, MAX_COMMAND - 1)}…` : words;
}
