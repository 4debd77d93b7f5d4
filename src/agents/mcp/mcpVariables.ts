import { expandVariables, type VariableScope } from '../variables';

/** `text` with every variable but `${input:…}` expanded. @throws VariableError for any other. */
export function expandMcpVariables(text: string, scope: VariableScope): string {
  const folder = scope.workspaceFolder;
  const plain =
    folder === undefined
      ? text
      : text.replaceAll('${workspaceFolderBasename}', folder.split(/[\\/]/).at(-1) ?? '');
  return plain === '' ? '' : expandVariables(plain, scope);
}
