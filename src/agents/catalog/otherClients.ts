/** Agents that the user has configured in other programs that speak ACP. */
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { isRecord } from '../../base/isRecord';
import { parseAgents } from '../definitions';
import { getVariable, type Env } from '../process/environmentVariables';
import type { AgentOffer } from './foundAgent';

/** Where Zed keeps the user's settings: the first of them that exists. */
export function zedSettingsFiles(
  env: Env,
  home: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  if (platform === 'win32') {
    const folder = getVariable(env, 'APPDATA', platform);
    return folder === undefined ? [] : [join(folder, 'Zed', 'settings.json')];
  }
  const configured =
    platform === 'linux' ? getVariable(env, 'XDG_CONFIG_HOME', platform) : undefined;
  return [
    join(configured || join(home, '.config'), 'zed', 'settings.json'),
    ...(platform === 'linux'
      ? [join(home, '.var', 'app', 'dev.zed.Zed', 'config', 'zed', 'settings.json')]
      : []),
  ];
}

/** The programs among Zed's `agent_servers`. @param settings the text of Zed's settings file */
export function zedAgents(settings: string): AgentOffer[] {
  const read: unknown = parse(settings, [], { allowTrailingComma: true });
  return offersOf(isRecord(read) ? read['agent_servers'] : undefined, 'zed');
}

/** The entries of VS Code's `chat.agentHost.acpAgents`: a list, each with an id and perhaps a name. */
export function vscodeAgents(setting: unknown): AgentOffer[] {
  if (!Array.isArray(setting)) return [];
  const entries = setting.filter(isRecord).map(entry => {
    const name = [entry['displayName'], entry['name'], entry['id']].find(
      text => typeof text === 'string' && text.trim() !== '',
    );
    return [name, { ...entry, type: undefined }] as const;
  });
  return offersOf(Object.fromEntries(entries.filter(([name]) => name !== undefined)), 'vscode');
}

/** Entries without a command of their own are another program's business. */
function offersOf(entries: unknown, from: AgentOffer['from']): AgentOffer[] {
  if (!isRecord(entries)) return [];
  return parseAgents(entries).flatMap(agent => {
    if (agent.kind !== 'stdio') return [];
    const { name, command, args, env } = agent;
    return [{ name, command, args, env, from }];
  });
}
