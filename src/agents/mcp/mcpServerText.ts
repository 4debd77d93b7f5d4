import * as l10n from '@vscode/l10n';
import { visibleText } from '../../base/visibleText';
import { formatCommandLine } from '../process/commandLine';
import type { EnvFile } from './envFile';
import type { McpServerConfig } from './mcpConfig';

/** Everything that a server is, in lines for the user; variables as written, nothing left out or hidden. */
export function mcpServerText(server: McpServerConfig, place: string, file?: EnvFile): string {
  const lines = [l10n.t('Name: {0}', oneLine(server.name)), l10n.t('From: {0}', oneLine(place))];
  if (server.type === 'stdio') {
    const { command, args, env, envFile } = server;
    lines.push(l10n.t('Command: {0}', oneLine(formatCommandLine(command, args))));
    lines.push(...pairs(l10n.t('Environment:'), env));
    if (envFile !== undefined) lines.push(l10n.t('Environment file: {0}', oneLine(envFile)));
    if (file) lines.push(...envFileLines(file));
  } else {
    lines.push(l10n.t('URL ({0}): {1}', server.type, oneLine(server.url)));
    lines.push(...pairs(l10n.t('Headers:'), server.headers));
  }
  const variables = variablesOf(server).map(oneLine);
  if (variables.length > 0) lines.push(l10n.t('It is given: {0}', variables.join(', ')));
  return lines.join('\n');
}

/** What a server is given besides what stands in the file: `${env:…}` and `${input:…}`, each once. */
export function variablesOf(server: McpServerConfig): readonly string[] {
  const texts =
    server.type === 'stdio'
      ? [server.command, ...server.args, ...Object.values(server.env), server.envFile ?? '']
      : [server.url, ...Object.values(server.headers)];
  const found = texts.flatMap(text => [...text.matchAll(/\$\{(?:env|input):[^}]*\}/g)]);
  return [...new Set(found.map(([variable]) => variable))];
}

/** Names only: the values are often secret. */
function envFileLines(file: EnvFile): string[] {
  if ('problem' in file) return [oneLine(file.problem)];
  const names = file.variables.map(({ name }) => oneLine(name));
  return names.length === 0 ? [] : [l10n.t('Variables in this file: {0}', names.join(', '))];
}

function pairs(title: string, record: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(record);
  if (entries.length === 0) return [];
  return [title, ...entries.map(([name, value]) => `    ${oneLine(name)}=${oneLine(value)}`)];
}

/** A line break of the file would look like a line of the question. */
function oneLine(text: string): string {
  return visibleText(
    text.replace(/[\n\t]/g, character => (character === '\n' ? '‹U+000A›' : '‹U+0009›')),
  );
}
