import * as vscode from 'vscode';
import { formatCommandLine } from '../../agents/process/commandLine';
import type { Env } from '../../agents/process/environmentVariables';
import { splitWords } from '../../base/splitWords';
import { visibleText } from '../../base/visibleText';
import type { AgentForm } from '../../shared/intents';
import { showInformationMessage, showWarningMessage } from '../messages';
import { addAgent } from '../settings/addAgent';

interface AgentList {
  isTaken(name: string): boolean;
  /** Puts the agent's key into the secret storage. */
  keep(variables: Env): Promise<void>;
}

/**
 * Shows what would be run, and adds the agent to the user's settings if that is wanted. The page checks the fields;
 * what gets here otherwise is refused.
 */
export async function addFromForm(form: AgentForm, agents: AgentList): Promise<boolean> {
  const { name, command, variable, key } = form;
  if (name === '' || command === '' || (key !== '' && !/^[A-Za-z_]\w*$/.test(variable)))
    return false;
  if (agents.isTaken(name)) {
    void showWarningMessage(vscode.l10n.t('There is already an agent called "{0}".', name));
    return false;
  }
  const args = splitWords(form.args);
  const add = vscode.l10n.t('Add and Start');
  const detail = [
    vscode.l10n.t('It runs with your permissions each time:'),
    visibleText(formatCommandLine(command, args)),
    ...(key === ''
      ? []
      : [vscode.l10n.t("{0} is kept in the system's secret storage.", visibleText(variable))]),
    vscode.l10n.t('It is added to "parley.agents" in your user settings.'),
  ].join('\n\n');
  const question = vscode.l10n.t('Add {0}?', visibleText(name));
  const answer = await showInformationMessage(question, { modal: true, detail }, add);
  if (answer !== add) return false;
  if (key !== '') await agents.keep({ [variable]: key });
  await addAgent(name, { command, args });
  return true;
}
