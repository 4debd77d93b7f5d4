import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type * as schema from '../../acp/schema';
import type { Env } from '../../agents/environmentVariables';
import type { McpServerConfig } from '../../agents/mcp/mcpConfig';
import { MissingInputError, resolveMcpServer, usableBy } from '../../agents/mcp/resolveMcpServer';
import { VariableError } from '../../agents/variables';
import type { Logger } from '../../base/logger';
import { readMcpSources, type McpSource } from './mcpFiles';
import type { McpInputs } from './mcpInputs';

export interface McpServersParts {
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted'>;
  /** `parley.mcpServers` as written. */
  setting(): unknown;
  readonly inputs: Pick<McpInputs, 'value'>;
  readonly environment: { get(): Promise<Env> };
  readonly masker: { add(values: Iterable<string>): void };
  readonly logger: Logger;
}

/** The MCP servers that new sessions are given. None in an untrusted workspace: they are programs. */
export class McpServers {
  private readonly told = new Set<string>();

  constructor(private readonly parts: McpServersParts) {}

  /** Never rejects: a server that cannot be used is left out, and the user is told once why. */
  async for(
    capabilities: schema.McpCapabilities,
    signal: AbortSignal,
  ): Promise<readonly schema.McpServer[]> {
    const sources = await readMcpSources(this.parts.setting());
    if (!this.parts.trust.isTrusted) {
      if (sources.some(({ config }) => config.servers.length > 0)) this.tellDistrust();
      return [];
    }
    const problems = sources.flatMap(({ config }) => config.problems);
    // A name that occurs again stands for the more specific server.
    const chosen = new Map<string, { server: McpServerConfig; source: McpSource }>();
    for (const source of sources) {
      const { servers } = source.config;
      const usable = usableBy(capabilities, servers);
      for (const server of usable) chosen.set(server.name, { server, source });
      for (const { name, type } of servers.filter(server => !usable.includes(server))) {
        this.parts.logger.info(`${name} is left out: the agent cannot use ${type} servers`);
      }
    }
    const servers: schema.McpServer[] = [];
    /** What the user did not want to give; other servers that need it are not worth another question. */
    const refused = new Set<string>();
    for (const { server, source } of chosen.values()) {
      try {
        servers.push(await this.resolve(server, source, refused, signal));
      } catch (error) {
        // Nobody waits for the servers any more: nothing was refused.
        if (signal.aborted) return [];
        if (error instanceof MissingInputError) {
          this.parts.logger.info(`${server.name} is left out: ${error.message} was not given`);
        } else if (error instanceof VariableError) {
          problems.push(
            vscode.l10n.t(
              '{0}: the MCP server “{1}” is left out: {2}',
              source.placeOf(server.name),
              server.name,
              error.message,
            ),
          );
        } else throw error;
      }
    }
    this.tell(problems);
    return servers;
  }

  private async resolve(
    server: McpServerConfig,
    source: McpSource,
    refused: Set<string>,
    signal: AbortSignal,
  ): Promise<schema.McpServer> {
    const { environment, inputs, masker } = this.parts;
    const resolved = await resolveMcpServer(server, {
      scope: {
        home: homedir(),
        env: await environment.get(),
        ...(source.folder !== undefined && { workspaceFolder: source.folder }),
      },
      input: async id => {
        const input = source.config.inputs.find(other => other.id === id);
        if (!input) {
          throw new VariableError(
            vscode.l10n.t('There is no input “{0}”. Add it to “inputs” in the same place.', id),
          );
        }
        const key = `${source.id}#${id}`;
        const value = refused.has(key) ? undefined : await inputs.value(source.id, input, signal);
        if (value === undefined) refused.add(key);
        if (input.isSecret && value !== undefined) masker.add([value]);
        return value;
      },
    });
    masker.add(resolved.secrets);
    return resolved.server;
  }

  /** Once a window: it stays so until the user decides otherwise. */
  private tellDistrust(): void {
    const message = vscode.l10n.t(
      'Agents are given no MCP servers while this workspace is not trusted, because they are programs.',
    );
    if (this.told.has(message)) return;
    this.told.add(message);
    this.parts.logger.info(message);
    const manage = vscode.l10n.t('Manage Trust');
    void vscode.window.showInformationMessage(message, manage).then(async answer => {
      if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage');
    });
  }

  private tell(problems: readonly string[]): void {
    const fresh = problems.filter(problem => !this.told.has(problem));
    if (fresh.length === 0) return;
    for (const problem of fresh) {
      this.told.add(problem);
      this.parts.logger.warn(problem);
    }
    void vscode.window.showWarningMessage(fresh.join(' '));
  }
}
