import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { parseEnv } from 'node:util';
import * as l10n from '@vscode/l10n';
import { VariableError, type VariableScope } from '../variables';
import { expandMcpVariables } from './mcpVariables';

/** What a server's `envFile` sets, or a sentence for the user that says why it cannot be read. */
export type EnvFile =
  | { readonly variables: readonly { readonly name: string; readonly value: string }[] }
  | { readonly problem: string };

/** Twice what Windows lets an environment hold. */
const MAX_BYTES = 64 * 1024;

/** @param file without variables; relative to the workspace folder */
export async function readEnvFile(file: string, scope: VariableScope): Promise<EnvFile> {
  const place = path.resolve(scope.workspaceFolder ?? scope.home, file);
  try {
    const found = await stat(place);
    // Anything but a file may never end.
    if (found.isFile() && found.size <= MAX_BYTES) {
      const values = Object.entries(parseEnv(await readFile(place, 'utf8')));
      return { variables: values.map(([name, value]) => ({ name, value: value ?? '' })) };
    }
  } catch {
    // Said below.
  }
  return { problem: l10n.t('The environment file {0} cannot be read.', file) };
}

/** As `readEnvFile`, before the user is asked for anything: the path has no `${input:…}`. */
export async function readEnvFileUnasked(text: string, scope: VariableScope): Promise<EnvFile> {
  let file: string;
  try {
    file = expandMcpVariables(text, scope);
  } catch (error) {
    if (error instanceof VariableError) return { problem: error.message };
    throw error;
  }
  return readEnvFile(file, scope);
}
