import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { EnvFile } from '../../agents/mcp/envFile';
import type { McpServerConfig } from '../../agents/mcp/mcpConfig';
import { expandMcpVariables } from '../../agents/mcp/mcpVariables';
import { VariableError, type VariableScope } from '../../agents/variables';
import { resolveInScope } from '../files/scopedPath';

/**
 * Files of the workspace that a server names as its program, in its arguments or in its environment:
 * absolute, with links resolved. What the user types for `${input:…}` is not known yet.
 * @param roots the workspace's folders, any of which may be the one that the program starts in
 */
export async function serverFiles(
  server: McpServerConfig,
  envFile: EnvFile | undefined,
  scope: VariableScope,
  roots: readonly string[],
): Promise<readonly string[]> {
  if (server.type !== 'stdio') return [];
  const texts = [server.command, ...server.args, ...Object.values(server.env)];
  if (server.envFile !== undefined) texts.push(server.envFile);
  const expanded = texts.flatMap(text => expandedText(text, scope));
  if (envFile && 'variables' in envFile) {
    expanded.push(...envFile.variables.map(({ value }) => value));
  }
  const paths = expanded
    .flatMap(wordsOf)
    .flatMap(word => roots.map(root => path.resolve(root, word)));
  const found = await Promise.all([...new Set(paths)].map(file => fileInside(file, roots)));
  return [...new Set(found.flatMap(file => file ?? []))];
}

/** A text whose variable has no value names nothing: its server is left out. */
function expandedText(text: string, scope: VariableScope): readonly string[] {
  try {
    return [expandMcpVariables(text.replace(/\$\{input:[^}]*\}/g, ''), scope)];
  } catch (error) {
    if (error instanceof VariableError) return [];
    throw error;
  }
}

/** The text itself, and what may be a path in `--import=./a.mjs`, `sh -c 'node a.mjs'` or `a.jar:b.jar`. */
function wordsOf(text: string): readonly string[] {
  return [text, ...text.split(/[\s"'`=,:;|&<>()]+/)].filter(word => word !== '');
}

async function fileInside(file: string, roots: readonly string[]): Promise<string | undefined> {
  try {
    const { real } = await resolveInScope(file, { roots });
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    // It is outside, or there is no such file.
    return undefined;
  }
}
