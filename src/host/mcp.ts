import type * as schema from '../acp/schema/schema';
import type { Env } from '../agents/process/environmentVariables';
import { lazy } from '../base/lazy';
import { RememberedAnswers } from '../vscode/rememberedAnswers';
import { proxySettings } from '../vscode/settings/proxySettings';
import type { Settings } from '../vscode/settings/settings';
import type { LazyTracking } from '../vscode/tracking/lazyTracking';
import type { Window } from './window';

export interface WindowMcp {
  /** The servers that a new session is given. */
  readonly servers: (
    capabilities: schema.McpCapabilities,
    signal: AbortSignal,
  ) => Promise<readonly schema.McpServer[]>;
  /** Forgets what the user has entered for and answered about servers. */
  readonly forget: () => Promise<void>;
}

/** MCP servers; what reads and confirms them loads with the first session. */
export function composeMcp(
  { context, trust, logs, logger }: Window,
  settings: Settings,
  tracking: LazyTracking,
  environment: { get(): Promise<Env> },
): WindowMcp {
  const loaded = lazy(async () => {
    const [{ McpServers }, { McpConfirmations }, { McpInputs }] = await Promise.all([
      import('../vscode/mcp/mcpServers'),
      import('../vscode/mcp/mcpConfirmations'),
      import('../vscode/mcp/mcpInputs'),
    ]);
    const inputs = new McpInputs(context.secrets, context.workspaceState);
    const confirmations = new McpConfirmations({
      answers: new RememberedAnswers(context.workspaceState, 'parley.mcp.confirmed'),
      isPending: tracking.isPending,
      async ask(...args) {
        const { askMcpServer } = await import('../vscode/mcp/askMcpServer');
        return askMcpServer(...args);
      },
      logger,
    });
    const servers = new McpServers({
      trust,
      setting: () => ({
        user: settings.current.mcpServers,
        workspace: settings.current.workspaceMcpServers,
      }),
      confirmations,
      inputs,
      environment,
      proxy: proxySettings,
      masker: logs.masker,
      logger,
    });
    return { servers, inputs, confirmations };
  });
  return {
    servers: async (capabilities, signal) => (await loaded()).servers.for(capabilities, signal),
    async forget() {
      const { inputs, confirmations } = await loaded();
      await inputs.forget();
      await confirmations.forget();
    },
  };
}
