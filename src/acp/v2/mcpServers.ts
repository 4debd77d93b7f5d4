import { isObject } from '../schema/guards/primitives';

/** Every MCP server says of which type it is. */
export function withTypes(params: object): object {
  const { mcpServers } = params as { readonly mcpServers?: unknown };
  if (!Array.isArray(mcpServers)) return params;
  const typed = mcpServers.map((server: unknown) =>
    isObject(server) ? { type: 'stdio', ...server } : server,
  );
  return { ...params, mcpServers: typed };
}
