import type { Json } from '../../../acp/schema/guards/primitives';
import { objects, strings, text } from '../inProcess/json';

/** The MCP servers of ACP as the CLI's configuration has them, by name. */
export function mcpServers(servers: unknown): Json {
  const named = objects(servers).filter(({ name }) => text(name) !== undefined);
  return Object.fromEntries(named.map(server => [String(server['name']), configOf(server)]));
}

function configOf(server: Json): Json {
  const { type, command, url } = server;
  return type === 'http' || type === 'sse'
    ? { type, url, headers: pairs(server['headers']) }
    : { type: 'stdio', command, args: strings(server['args']), env: pairs(server['env']) };
}

function pairs(list: unknown): Json {
  return Object.fromEntries(
    objects(list).flatMap(({ name, value }) => (text(name) ? [[String(name), value]] : [])),
  );
}
