/** What ACP's requests say of a session, as the server takes it. */
import { isAbsolute } from 'node:path';
import { RequestError } from '../../../acp/rpc/errors';
import type { Json } from '../../../acp/schema/guards/primitives';
import { strings, text } from '../inProcess/json';
import { mcpServers } from './mcpServers';

export function configOf(params: Json, cwd: string): Json {
  const servers = mcpServers(params['mcpServers']);
  const folders = strings(params['additionalDirectories']);
  return {
    ...(Object.keys(servers).length > 0 && { config: { mcp_servers: servers } }),
    ...(folders.length > 0 && { runtimeWorkspaceRoots: [cwd, ...folders] }),
  };
}

export function idIn(params: Json): string {
  return text(params['sessionId']) ?? '';
}

/** @throws RequestError */
export function cwdIn(params: Json): string {
  const cwd = text(params['cwd']);
  if (cwd === undefined || !isAbsolute(cwd)) {
    throw RequestError.invalidParams('"cwd" must be an absolute path.');
  }
  return cwd;
}
