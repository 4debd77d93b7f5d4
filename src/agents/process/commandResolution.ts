/** Finds a command as a shell would: on the PATH, or relative to the working directory. */
import { statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import which from 'which';
import { getVariable, type Env } from './environmentVariables';

export type CommandResolution =
  | { readonly kind: 'found'; readonly path: string }
  /** `searched`: the folders of the PATH, or (`isPath`) the one file it would have been. */
  | { readonly kind: 'notFound'; readonly isPath: boolean; readonly searched: readonly string[] }
  | { readonly kind: 'notExecutable'; readonly path: string };

/** @param cwd what relative commands and relative PATH entries are relative to. */
export async function resolveCommand(
  command: string,
  env: Env,
  cwd: string,
): Promise<CommandResolution> {
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  const folders = isPath
    ? []
    : (getVariable(env, 'PATH') ?? '')
        .split(delimiter)
        .map(folder => folder.replace(/^"(.*)"$/, '$1'))
        .filter(folder => folder !== '');
  const candidates = isPath ? [resolve(cwd, command)] : folders.map(f => resolve(cwd, f, command));
  const pathExt = getVariable(env, 'PATHEXT');
  let present: string | undefined;
  for (const candidate of candidates) {
    // Each candidate on its own: asked for a bare name, `which` looks in this process's folder first on
    // Windows, where anyone may have put something.
    const found = await which(candidate, { nothrow: true, ...(pathExt ? { pathExt } : {}) });
    if (found !== null) return { kind: 'found', path: found };
    if (present === undefined && isFile(candidate)) present = candidate;
  }
  if (present !== undefined) return { kind: 'notExecutable', path: present };
  return { kind: 'notFound', isPath, searched: isPath ? candidates : folders };
}

/** True for an existing folder. */
export function isFolder(path: string): boolean {
  return isAbsolute(path) && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
