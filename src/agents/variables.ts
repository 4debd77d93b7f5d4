/**
 * Variables in settings, as VS Code's own files have them: a leading `~`, `${workspaceFolder}`,
 * `${userHome}`, `${env:NAME}`.
 */
import * as l10n from '@vscode/l10n';
import { getVariable, type Env } from './process/environmentVariables';

export interface VariableScope {
  readonly home: string;
  /** Absent when no folder is open. */
  readonly workspaceFolder?: string;
  readonly env: Env;
  /** Values of `${input:NAME}`, where there is such a variable. */
  readonly inputs?: Env;
  readonly platform?: NodeJS.Platform;
}

/** A variable that cannot be expanded. The message is for the user. */
export class VariableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VariableError';
  }
}

/** @throws VariableError for a variable that is unknown or has no value. */
export function expandVariables(text: string, scope: VariableScope): string {
  const tilde = text === '~' || /^~[\\/]/.test(text) ? scope.home + text.slice(1) : text;
  return tilde.replace(/\$\{([^}]*)\}/g, (_match, variable: string) => value(variable, scope));
}

function value(variable: string, scope: VariableScope): string {
  const written = `\${${variable}}`;
  if (variable === 'userHome') return scope.home;
  if (variable === 'workspaceFolder') {
    if (scope.workspaceFolder !== undefined) return scope.workspaceFolder;
    throw new VariableError(
      l10n.t('{0} has no value because no folder is open. Open a folder first.', written),
    );
  }
  if (variable.startsWith('env:')) {
    const name = variable.slice('env:'.length);
    const found = getVariable(scope.env, name, scope.platform);
    if (found !== undefined) return found;
    throw new VariableError(
      l10n.t('The environment variable {0} is not set in your login shell.', name),
    );
  }
  const input = /^input:(.*)$/.exec(variable)?.[1];
  const given = input === undefined ? undefined : scope.inputs?.[input];
  if (given !== undefined) return given;
  throw new VariableError(
    getVariable(scope.env, variable, scope.platform) !== undefined
      ? l10n.t('{0} is not a variable of Parley. Write {1}.', written, `\${env:${variable}}`)
      : l10n.t(
          '{0} is not a variable of Parley. Known are {1}.',
          written,
          `\${workspaceFolder}, \${userHome}, \${env:NAME}${scope.inputs ? ', ${input:NAME}' : ''}`,
        ),
  );
}

/**
 * Values that `texts` take from environment variables whose names say that they are secret. (Paths such
 * as HOME are wanted in a log.)
 */
export function referencedSecrets(texts: Iterable<string>, env: Env): string[] {
  return referencedVariables(texts)
    .filter(isSecretName)
    .flatMap(name => getVariable(env, name) ?? []);
}

/** Values of variables whose names say that they are secret; what is a path or a number is none. */
export function namedSecrets(env: Env): string[] {
  return Object.entries(env)
    .filter(
      ([name, value]) => isSecretName(name) && !/^(?:[\d.]*|[~./].*|[A-Za-z]:\\.*)$/.test(value),
    )
    .map(([, value]) => value);
}

function isSecretName(name: string): boolean {
  // Authors are none, authorization is one.
  return /key|token|secret|passw|auth(?!or(?!i[sz]))|credential/i.test(name);
}

/** Values that `texts` take from environment variables, whatever their names. */
export function referencedValues(texts: Iterable<string>, env: Env): string[] {
  return referencedVariables(texts).flatMap(name => getVariable(env, name) ?? []);
}

/** The names in `${input:NAME}`, each once. */
export function inputNames(texts: Iterable<string>): string[] {
  return [...new Set(namesAfter('input', texts))];
}

function referencedVariables(texts: Iterable<string>): string[] {
  return namesAfter('env', texts);
}

function namesAfter(kind: 'env' | 'input', texts: Iterable<string>): string[] {
  const pattern = new RegExp(`\\$\\{${kind}:([^}]+)\\}`, 'g');
  return [...texts].flatMap(text => [...text.matchAll(pattern)].map(match => match[1] ?? ''));
}
