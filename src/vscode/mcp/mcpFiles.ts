import * as vscode from 'vscode';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { readMcpConfig, type McpConfig } from '../../agents/mcp/mcpConfig';

const SETTING = 'parley.mcpServers';

/** Servers of one place, with the name that the user knows it by. */
export interface McpSource {
  readonly name: string;
  /** Tells places apart over all workspaces. */
  readonly id: string;
  readonly config: McpConfig;
  /** Absolute; what `${workspaceFolder}` means there. */
  readonly folder?: string;
}

/**
 * Every place that may name servers, the most specific last: the setting, the workspace file, and
 * `.vscode/mcp.json` of each folder.
 */
export async function readMcpSources(setting: unknown): Promise<readonly McpSource[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folders[0]?.uri.fsPath;
  const inFirst = first === undefined ? {} : { folder: first };
  const sources: McpSource[] = [
    { name: SETTING, id: SETTING, config: readMcpConfig(setting, SETTING), ...inFirst },
  ];
  const { workspaceFile } = vscode.workspace;
  if (workspaceFile?.scheme === 'file') {
    const content = await readJsonc(workspaceFile);
    if (content) {
      const { value, name, problems } = content;
      const servers = member(value, 'mcp') ?? member(member(value, 'settings'), 'mcp');
      const config = withProblems(readMcpConfig(servers, name), problems);
      sources.push({ name, id: workspaceFile.toString(), config, ...inFirst });
    }
  }
  for (const { uri } of folders) {
    const file = vscode.Uri.joinPath(uri, '.vscode', 'mcp.json');
    const content = await readJsonc(file);
    if (!content) continue;
    const config = withProblems(readMcpConfig(content.value, content.name), content.problems);
    sources.push({ name: content.name, id: file.toString(), config, folder: uri.fsPath });
  }
  return sources;
}

/** JSON with comments; undefined when there is no such file. */
async function readJsonc(uri: vscode.Uri) {
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
  const name = vscode.workspace.asRelativePath(uri);
  const errors: ParseError[] = [];
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const problems = errors.slice(0, 1).map(({ error, offset }) => {
    const line = text.slice(0, offset).split('\n').length;
    return vscode.l10n.t('{0}, line {1}: {2}', name, line, printParseErrorCode(error));
  });
  return { value, name, problems };
}

function withProblems(config: McpConfig, problems: readonly string[]): McpConfig {
  return { ...config, problems: [...problems, ...config.problems] };
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
