import * as vscode from 'vscode';
import {
  findNodeAtLocation,
  parse,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';
import { readMcpConfig, type McpConfig } from '../../agents/mcp/mcpConfig';
import type { UserValues } from '../settings/userValue';
import { workspaceSettingsFile } from '../settings/workspaceSettingsFile';

const SETTING = 'parley.mcpServers';

/** Servers of one place, with the name that the user knows it by. */
export interface McpSource {
  readonly name: string;
  /** Tells places apart over all workspaces. */
  readonly id: string;
  readonly config: McpConfig;
  /** Where one of its servers stands, for the user. */
  placeOf(server: string): string;
  /** The file where they stand: absolute; absent for the user's own settings. */
  readonly file?: string;
  /** Absolute; what `${workspaceFolder}` means there. */
  readonly folder?: string;
}

/** `parley.mcpServers` as written. */
export interface McpSetting {
  readonly user: UserValues;
  readonly workspace: unknown;
}

/**
 * Every place that may name servers, the most specific last: the user's setting, the one for the remote
 * machine, the workspace's, the workspace file, and `.vscode/mcp.json` of each folder.
 */
export async function readMcpSources(setting: McpSetting): Promise<readonly McpSource[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folders[0]?.uri.fsPath;
  const inFirst = first === undefined ? {} : { folder: first };
  const ofUser = (value: unknown, id: string): McpSource => ({
    name: SETTING,
    id,
    config: readMcpConfig(value, SETTING),
    placeOf: () => SETTING,
    ...inFirst,
  });
  const { local, remote } = setting.user;
  const sources = [ofUser(local, SETTING), ofUser(remote, `${SETTING}#remote`)];
  const { workspaceFile } = vscode.workspace;
  const ofWorkspace = await workspaceSetting(setting.workspace);
  if (ofWorkspace) sources.push({ ...ofWorkspace, ...inFirst });
  if (workspaceFile?.scheme === 'file') {
    const inSettings = ['settings', 'mcp'];
    const source = await readFile(workspaceFile, value =>
      member(value, 'mcp') === undefined ? inSettings : ['mcp'],
    );
    if (source) sources.push({ ...source, ...inFirst });
  }
  for (const { uri } of folders) {
    const source = await readFile(vscode.Uri.joinPath(uri, '.vscode', 'mcp.json'), () => []);
    if (source) sources.push({ ...source, folder: uri.fsPath });
  }
  return sources;
}

/** The servers of the setting as VS Code has it; the file says only where they stand. */
async function workspaceSetting(value: unknown): Promise<McpSource | undefined> {
  const uri = workspaceSettingsFile();
  if (value === undefined || !uri) return undefined;
  const name = vscode.l10n.t('{0} in {1}', SETTING, vscode.workspace.asRelativePath(uri));
  const text = (await readText(uri)) ?? '';
  const at = vscode.workspace.workspaceFile ? ['settings', SETTING] : [SETTING];
  const placeOf = placesIn(text, at, name);
  const config = readMcpConfig(value, name, placeOf);
  return { name, id: `${uri.toString()}#${SETTING}`, config, placeOf, file: uri.fsPath };
}

/**
 * The servers of a file of JSON with comments; undefined when there is no such file.
 * @param within where in the file they stand
 */
async function readFile(
  uri: vscode.Uri,
  within: (value: unknown) => readonly string[],
): Promise<McpSource | undefined> {
  const text = await readText(uri);
  if (text === undefined) return undefined;
  const name = vscode.workspace.asRelativePath(uri);
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const at = within(value);
  const placeOf = placesIn(text, at, name);
  const config = readMcpConfig(at.reduce(member, value), name, placeOf);
  const problems = errors.slice(0, 1).map(error => syntaxProblem(name, text, error));
  const all = { ...config, problems: [...problems, ...config.problems] };
  return { name, id: uri.toString(), config: all, placeOf, file: uri.fsPath };
}

/** Undefined when there is no such file. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

function placesIn(text: string, at: readonly string[], name: string): McpSource['placeOf'] {
  return server => {
    const line = lineOfServer(text, at, server);
    return line === undefined ? name : vscode.l10n.t('{0}, line {1}', name, line);
  };
}

function syntaxProblem(name: string, text: string, { error, offset }: ParseError): string {
  const code = printParseErrorCode(error);
  // What is missing belongs after what stands before; the parser says where it found something else.
  const before = text.slice(0, offset);
  const line = lineAt(code.endsWith('Expected') ? before.trimEnd() : before);
  return vscode.l10n.t('{0}, line {1}: {2}', name, line, syntaxWords(code));
}

function syntaxWords(code: string): string {
  switch (code) {
    case 'CommaExpected':
      return vscode.l10n.t('a comma is missing.');
    case 'ColonExpected':
      return vscode.l10n.t('a colon is missing.');
    case 'PropertyNameExpected':
      return vscode.l10n.t('a name in double quotes is missing.');
    case 'ValueExpected':
      return vscode.l10n.t('a value is missing.');
    case 'CloseBraceExpected':
      return vscode.l10n.t('a closing brace is missing.');
    case 'CloseBracketExpected':
      return vscode.l10n.t('a closing bracket is missing.');
    case 'UnexpectedEndOfString':
      return vscode.l10n.t('a text has no closing quote.');
    default:
      return vscode.l10n.t('this is not valid JSON.');
  }
}

function lineOfServer(text: string, at: readonly string[], server: string): number | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  for (const list of [['servers'], ['mcpServers'], []]) {
    const node = root && findNodeAtLocation(root, [...at, ...list, server]);
    // The property's own place: its value may begin on a later line.
    if (node) return lineAt(text.slice(0, (node.parent ?? node).offset));
  }
  return undefined;
}

/** The number of the last line of `text`, from 1. */
function lineAt(text: string): number {
  return text.split('\n').length;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
