/** Environment of a process. Names are case-insensitive on Windows: read with `getVariable`. */
export type Env = Readonly<Record<string, string>>;

/** A variable's value, found as the platform finds it (`Path` is `PATH` on Windows). */
export function getVariable(
  env: Env,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  const wanted = name.toUpperCase();
  for (const [key, value] of Object.entries(env)) {
    if (key.toUpperCase() === wanted) return value;
  }
  return undefined;
}

/**
 * `base` with `changes` on top. On Windows a change replaces the variable whatever its case, since two
 * spellings of one name in a process's environment are undefined behaviour there.
 */
export function mergeEnv(
  base: Env,
  changes: Env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const merged: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    if (platform === 'win32') {
      for (const key of Object.keys(merged)) {
        if (key.toUpperCase() === name.toUpperCase()) delete merged[key];
      }
    }
    merged[name] = value;
  }
  return merged;
}

/**
 * Variables that are the editor's own business. `ELECTRON_RUN_AS_NODE` would turn an editor that an agent
 * opens into a bare Node; VSCODE_* point tools at the extension host's pipes.
 */
const EDITOR_ONLY = /^(ELECTRON_|VSCODE_(?!PORTABLE$|GIT_))/i;

/** `env` without undefined values and without the editor's own variables. */
export function withoutEditorVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !EDITOR_ONLY.test(name)) clean[name] = value;
  }
  return clean;
}
