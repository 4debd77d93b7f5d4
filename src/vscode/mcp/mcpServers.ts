import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type * as schema from '../../acp/schema/schema';
import type { Env } from '../../agents/process/environmentVariables';
import { readEnvFileUnasked } from '../../agents/mcp/envFile';
import type { McpServerConfig } from '../../agents/mcp/mcpConfig';
import {
  MissingInputError,
  resolveMcpServer,
  usableBy,
  type McpVariables,
} from '../../agents/mcp/resolveMcpServer';
import { proxySecrets, withProxy, type ProxySettings } from '../../agents/process/proxyEnvironment';
import { VariableError, type VariableScope } from '../../agents/variables';
import type { Logger } from '../../base/logger';
import { workspaceRoots } from '../links';
import type { McpCandidate, McpChoice, McpConfirmations } from './mcpConfirmations';
import { readMcpSources, type McpSetting, type McpSource } from './mcpFiles';
import type { McpInputs } from './mcpInputs';
import { serverFiles } from './serverFiles';
import { showInformationMessage, showWarningMessage } from '../messages';

export interface McpServersParts {
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted'>;
  setting(): McpSetting;
  readonly confirmations: Pick<McpConfirmations, 'choose'>;
  readonly inputs: Pick<McpInputs, 'value'>;
  readonly environment: { get(): Promise<Env> };
  /** As VS Code has it. */
  readonly proxy?: () => ProxySettings;
  readonly masker: { add(values: Iterable<string>): void };
  readonly logger: Logger;
}

/** The MCP servers that new sessions are given. None in an untrusted workspace: they are programs. */
export class McpServers {
  private readonly notified = new Set<string>();

  constructor(private readonly parts: McpServersParts) {}

  /** Never rejects: a server that cannot be used is left out, and the user is notified once why. */
  async for(
    capabilities: schema.McpCapabilities,
    signal: AbortSignal,
  ): Promise<readonly schema.McpServer[]> {
    const sources = await readMcpSources(this.parts.setting());
    if (!this.parts.trust.isTrusted) {
      if (sources.some(({ config }) => config.servers.length > 0)) this.notifyDistrust();
      return [];
    }
    const problems = sources.flatMap(({ config }) => config.problems);
    const names = await this.byName(sources, capabilities);
    // Before any variable is resolved: what is not agreed to is given nothing.
    const choice = await this.parts.confirmations.choose(names, signal);
    if (signal.aborted) return [];
    this.notifyLeftOut(choice);
    const servers: schema.McpServer[] = [];
    /** What the user did not want to give; other servers that need it are not worth another question. */
    const refused = new Set<string>();
    for (const candidate of choice.chosen) {
      const { server, source } = candidate;
      try {
        servers.push(await this.resolve(candidate, refused, signal));
      } catch (error) {
        // Nobody waits for the servers any more: nothing was refused.
        if (signal.aborted) return [];
        if (error instanceof MissingInputError) {
          this.parts.logger.info(`${server.name} is left out: ${error.message} was not given`);
        } else if (error instanceof VariableError) {
          problems.push(
            vscode.l10n.t(
              '{0}: the MCP server "{1}" is left out: {2}',
              source.placeOf(server.name),
              server.name,
              error.message,
            ),
          );
        } else throw error;
      }
    }
    void this.notify(problems);
    return servers;
  }

  /** For each name the servers that stand for it, the most specific first. */
  private async byName(
    sources: readonly McpSource[],
    capabilities: schema.McpCapabilities,
  ): Promise<readonly (readonly McpCandidate[])[]> {
    const names = new Map<string, McpCandidate[]>();
    for (const source of sources) {
      const { servers } = source.config;
      const usable = usableBy(capabilities, servers);
      for (const server of usable) {
        const candidate = await this.candidate(server, source);
        names.set(server.name, [candidate, ...(names.get(server.name) ?? [])]);
      }
      for (const { name, type } of servers.filter(server => !usable.includes(server))) {
        this.parts.logger.info(`${name} is left out: the agent cannot use ${type} servers`);
      }
    }
    return [...names.values()];
  }

  private async candidate(server: McpServerConfig, source: McpSource): Promise<McpCandidate> {
    if (server.type !== 'stdio') return { server, source, files: [] };
    const scope = await this.scope(source);
    const envFile =
      server.envFile !== undefined && source.file !== undefined
        ? await readEnvFileUnasked(server.envFile, scope)
        : undefined;
    const files = await serverFiles(server, envFile, scope, workspaceRoots());
    return { server, source, files, ...(envFile && { envFile }) };
  }

  private async scope({ folder }: Pick<McpSource, 'folder'>): Promise<VariableScope> {
    const env = await this.parts.environment.get();
    return { home: homedir(), env, ...(folder !== undefined && { workspaceFolder: folder }) };
  }

  private async resolve(
    { server, source, envFile }: McpCandidate,
    refused: Set<string>,
    signal: AbortSignal,
  ): Promise<schema.McpServer> {
    const { inputs, masker, proxy } = this.parts;
    const scope = await this.scope(source);
    const network = withProxy(scope.env, proxy?.() ?? {});
    masker.add(proxySecrets(network));
    const variables: McpVariables = {
      scope,
      network,
      input: async id => {
        const input = source.config.inputs.find(other => other.id === id);
        if (!input) {
          throw new VariableError(
            vscode.l10n.t('There is no input "{0}". Add it to "inputs" in the same place.', id),
          );
        }
        const key = `${source.id}#${id}`;
        const value = refused.has(key) ? undefined : await inputs.value(source.id, input, signal);
        if (value === undefined) refused.add(key);
        if (input.isSecret && value !== undefined) masker.add([value]);
        return value;
      },
    };
    const resolved = await resolveMcpServer(server, variables, envFile);
    masker.add(resolved.secrets);
    return resolved.server;
  }

  /** Once a window: it stays so until the user decides otherwise. */
  private notifyDistrust(): void {
    const message = vscode.l10n.t('Agents get no MCP servers until you trust this workspace.');
    if (this.notified.has(message)) return;
    this.notified.add(message);
    this.parts.logger.info(message);
    const manage = vscode.l10n.t('Manage Trust');
    void showInformationMessage(message, manage).then(async answer => {
      if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage');
    });
  }

  private notifyLeftOut({ pending, unasked }: McpChoice): void {
    const review = vscode.l10n.t('Review Changes');
    const reasons = new Set(
      pending.map(({ server, source, file }) =>
        file === source.file
          ? vscode.l10n.t(
              'New MCP servers in {0} are not used because an agent changed that file. Review the change, then start a new chat.',
              source.name,
            )
          : vscode.l10n.t(
              'The MCP server "{0}" is not used because an agent changed {1}. Review the change, then start a new chat.',
              server.name,
              vscode.workspace.asRelativePath(file),
            ),
      ),
    );
    void this.notify([...reasons], review).then(async answer => {
      if (answer === review) await vscode.commands.executeCommand('parley.reviewChanges');
    });
    if (unasked > 0) {
      const more =
        unasked === 1
          ? vscode.l10n.t(
              '1 more MCP server in this workspace is not used yet. The next chat asks about it.',
            )
          : vscode.l10n.t(
              '{0} more MCP servers in this workspace are not used yet. The next chat asks about them.',
              unasked,
            );
      void this.notify([more]);
    }
  }

  private async notify(
    problems: readonly string[],
    ...buttons: readonly string[]
  ): Promise<string | undefined> {
    const fresh = problems.filter(problem => !this.notified.has(problem));
    if (fresh.length === 0) return undefined;
    for (const problem of fresh) {
      this.notified.add(problem);
      this.parts.logger.warn(problem);
    }
    return showWarningMessage(fresh.join(' '), ...buttons);
  }
}
