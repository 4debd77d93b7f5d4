/** What the client asks, for agents that are known to speak the early draft. */
import type * as schema from '../schema/schema';

/** The early draft's `content` beside the schema's `prompt`. */
export function earlyPrompt(params: schema.PromptRequest): object {
  return { ...params, content: params.prompt.map(earlyBlock) };
}

function earlyBlock(block: schema.ContentBlock): object {
  if (block.type !== 'resource') return block;
  const { resource, ...rest } = block;
  return { ...rest, ...resource, type: 'embedded_resource' };
}

/** The early draft says `method` where the schema says `methodId`. */
export function earlyAuthentication(params: schema.AuthenticateRequest): object {
  return { ...params, method: params.methodId };
}

/** MCP servers as `local` and `remote`. */
export function earlySession(params: {
  readonly mcpServers?: readonly schema.McpServer[];
}): object {
  return { ...params, mcpServers: (params.mcpServers ?? []).map(earlyServer) };
}

function earlyServer(server: schema.McpServer): object {
  if ('url' in server) {
    const { name, url, headers } = server;
    return { type: 'remote', name, url, headers: record(headers) };
  }
  if ('command' in server) {
    const { name, command, args, env } = server;
    return { type: 'local', name, command, args, environment: record(env) };
  }
  return server;
}

function record(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
