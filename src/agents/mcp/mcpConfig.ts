import * as l10n from '@vscode/l10n';
import { isRecord } from '../../base/isRecord';

/** A server as the user wrote it, variables and all. */
export type McpServerConfig =
  | {
      readonly type: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** A file of `NAME=value` lines, below `env`. */
      readonly envFile?: string;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A value that the user is asked for, once. */
export interface McpInput {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description: string;
  readonly isSecret: boolean;
  readonly initial?: string;
  readonly choices: readonly string[];
}

export interface McpConfig {
  readonly servers: readonly McpServerConfig[];
  readonly inputs: readonly McpInput[];
  /** One sentence for each entry that could not be used. */
  readonly problems: readonly string[];
}

/**
 * Reads servers in the format of VS Code's `mcp.json` (`{servers, inputs}`), as a plain map by name, or as
 * other programs write them (`{mcpServers}`). One bad entry does not spoil the others.
 * @param source where it stands, for the user.
 * @param placeOf where one of its servers stands, if that is known better.
 */
export function readMcpConfig(
  value: unknown,
  source: string,
  placeOf: (server: string) => string = () => source,
): McpConfig {
  if (value === undefined || value === null) return { servers: [], inputs: [], problems: [] };
  const problems: string[] = [];
  if (!isRecord(value)) {
    return { servers: [], inputs: [], problems: [l10n.t('{0} must be an object.', source)] };
  }
  const nested = value['servers'] ?? value['mcpServers'];
  const entries = isRecord(nested) ? nested : 'inputs' in value ? {} : value;
  const servers = Object.entries(entries).flatMap(([name, entry]) => {
    const server = readServer(name, entry);
    if (typeof server !== 'string') return server ? [server] : [];
    problems.push(
      l10n.t('{0}: the MCP server "{1}" is left out: {2}', placeOf(name), name, server),
    );
    return [];
  });
  const inputs = isRecord(nested) && Array.isArray(value['inputs']) ? value['inputs'] : [];
  return { servers, inputs: inputs.flatMap(readInput), problems };
}

/** The server, what is wrong with it, or undefined when it is switched off. */
function readServer(name: string, entry: unknown): McpServerConfig | string | undefined {
  if (!isRecord(entry)) return l10n.t('it must be an object.');
  if (entry['disabled'] === true || entry['enabled'] === false) return undefined;
  const { type, command, url } = entry;
  const kind = type ?? (url === undefined ? 'stdio' : 'http');
  switch (kind) {
    case 'stdio':
    case 'local': {
      // Some write the command and its arguments as one list.
      const words = (Array.isArray(command) ? command : [command]) as readonly unknown[];
      const [program, ...rest] = words;
      const args = entry['args'] ?? [];
      const env = entry['env'] ?? entry['environment'] ?? {};
      if (typeof program !== 'string' || program === '') return l10n.t('"command" is missing.');
      if (!isTexts(args) || !isTexts(rest)) return l10n.t('"args" must be an array of strings.');
      const variables = textValues(env);
      if (!variables) return l10n.t('"env" must be an object with string values.');
      const { envFile } = entry;
      return {
        type: 'stdio',
        name,
        command: program,
        args: [...rest, ...args],
        env: variables,
        ...(typeof envFile === 'string' && { envFile }),
      };
    }
    case 'http':
    case 'sse':
    case 'streamable-http':
    case 'remote': {
      if (typeof url !== 'string' || url === '') return l10n.t('"url" is missing.');
      const headers = textValues(entry['headers'] ?? {});
      if (!headers) return l10n.t('"headers" must be an object with string values.');
      return { type: kind === 'sse' ? 'sse' : 'http', name, url, headers };
    }
    default:
      return l10n.t('"type" must be stdio, http or sse.');
  }
}

function readInput(value: unknown): McpInput[] {
  if (!isRecord(value) || typeof value['id'] !== 'string') return [];
  const { id, type, description, password, options } = value;
  const initial = value['default'];
  return [
    {
      id,
      type: type === 'pickString' ? 'pickString' : 'promptString',
      description: typeof description === 'string' ? description : id,
      isSecret: password === true,
      ...(typeof initial === 'string' && { initial }),
      choices: Array.isArray(options) ? options.flatMap(choice) : [],
    },
  ];
}

/** A choice of a `pickString` is a text, or an object with a value. */
function choice(option: unknown): string[] {
  if (typeof option === 'string') return [option];
  const value = isRecord(option) ? option['value'] : undefined;
  return typeof value === 'string' ? [value] : [];
}

/** Numbers and switches become texts, as VS Code has it; null removes. */
function textValues(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).filter(([, text]) => text !== null);
  const good = entries.every(([, text]) => ['string', 'number', 'boolean'].includes(typeof text));
  return good ? Object.fromEntries(entries.map(([name, text]) => [name, String(text)])) : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
