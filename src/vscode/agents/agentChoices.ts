import * as path from 'node:path';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentOffer, FoundAgent } from '../../agents/catalog/foundAgent';
import { isProgram, type AgentDefinition } from '../../agents/definitions';
import { formatCommandLine } from '../../agents/process/commandLine';
import type { AgentChoice } from '../../shared/panelState';

/** Agents that no setting names, as the user chooses among them. */
export function choiceOfFound({ name, version, signedIn, path, args }: FoundAgent): AgentChoice {
  const facts = [
    version,
    signedIn === true
      ? vscode.l10n.t('signed in')
      : signedIn === false
        ? vscode.l10n.t('not signed in')
        : undefined,
    formatCommandLine(belowHome(path), args),
  ];
  const detail = facts.filter(fact => fact !== undefined).join(' · ');
  return { name, detail, builtIn: false, found: true };
}

export function choiceOfOffer({ name, command, args, from }: AgentOffer): AgentChoice {
  return { name, detail: formatCommandLine(command, args), builtIn: false, offer: need(from) };
}

/** Whether an agent of the settings, or one found, is what the other would be. */
export function isSameAgent(own: AgentDefinition, other: FoundAgent | AgentOffer): boolean {
  if (own.name === other.name) return true;
  const kind = 'path' in other ? (other.kind ?? 'stdio') : 'stdio';
  if (!isProgram(own) || own.kind !== kind) return false;
  const command = 'path' in other ? other.path : other.command;
  return (
    path.basename(own.command) === path.basename(command) &&
    own.args.join('\0') === other.args.join('\0')
  );
}

function need(from: AgentOffer['from']): string {
  switch (from) {
    case 'npm':
      return vscode.l10n.t('Needs install');
    case 'zed':
      return vscode.l10n.t('From Zed');
    case 'vscode':
      return vscode.l10n.t('From VS Code');
  }
}

function belowHome(file: string): string {
  const home = homedir() + path.sep;
  return path.sep === '/' && file.startsWith(home) ? `~/${file.slice(home.length)}` : file;
}
