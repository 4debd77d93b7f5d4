import type { Json } from '../../../acp/schema/guards/primitives';
import { objects, strings, text } from '../inProcess/json';

/** The MCP servers of ACP as the configuration of Codex has them, by name. */
export function mcpServers(servers: unknown): Json {
  const named = objects(servers).filter(({ name }) => text(name) !== undefined);
  return Object.fromEntries(
    named.map(server => [nameOf(String(server['name'])), configOf(server)]),
  );
}

/** Codex refuses other characters. */
function nameOf(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, '_');
}

function configOf(server: Json): Json {
  const { type, command, url } = server;
  return type === 'http'
    ? { url, http_headers: pairs(server['headers']) }
    : { command, args: strings(server['args']), env: pairs(server['env']) };
}

function pairs(list: unknown): Json {
  return Object.fromEntries(
    objects(list).flatMap(({ name, value }) => (text(name) ? [[String(name), value]] : [])),
  );
}
