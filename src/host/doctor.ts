import type { Env } from '../agents/process/environmentVariables';
import { lazy } from '../base/lazy';
import type { ConfiguredAgents } from '../vscode/settings/configuredAgents';
import type { Settings } from '../vscode/settings/settings';
import type { Window } from './window';

export interface DoctorServices {
  readonly settings: Settings;
  readonly agents: ConfiguredAgents;
  readonly shell: { get(fresh?: boolean): Promise<Env> };
}

/** What "Run Doctor" does. */
export function composeDoctor(
  { parts, context, version, trust, logs, logger, environment, processes }: Window,
  { settings, agents, shell }: DoctorServices,
): () => Promise<void> {
  const page = lazy(async () => {
    const [{ DoctorPage }, { readMcpSources }] = await Promise.all([
      import('../vscode/doctor/doctorPage'),
      import('../vscode/mcp/mcpFiles'),
    ]);
    const made = new DoctorPage(context.extensionUri, {
      agents,
      agent: name => agents.agent(name),
      environment: shell,
      processes,
      async mcpServers() {
        const { mcpServers: user, workspaceMcpServers: workspace } = settings.current;
        const sources = await readMcpSources({ user, workspace });
        return sources.flatMap(({ name, config }) =>
          config.servers.map(server => `${server.name} (${server.type}, ${name})`),
        );
      },
      trust,
      now: () => environment.now(),
      version,
      mask: text => logs.masker.mask(text),
      logger,
    });
    return parts.add(made);
  });
  return async () => (await page()).open();
}
