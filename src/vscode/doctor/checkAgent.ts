import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/language';
import { AgentError, type Agent, type AgentLink } from '../../session/ports';
import type { Finding } from '../../shared/doctorPage';

export interface AgentCheck {
  readonly agent: Agent;
  /** Its command line, for the user. */
  readonly detail: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Starts the agent if it does not run, and says what it answers. It runs on only if a chat needs it. */
export async function checkAgent(check: AgentCheck): Promise<readonly Finding[]> {
  const { agent, detail, now, signal } = check;
  const wasReady = agent.status.kind === 'ready';
  const held = agent.lease();
  const begun = now();
  try {
    const link = await agent.connect(signal);
    const seconds = numberText((now() - begun) / 1000, 1, true);
    const title = wasReady
      ? l10n.t('It is running.')
      : l10n.t('It was ready after {0} s.', seconds);
    return [{ level: 'ok', title, detail }, ...answers(link, agent)];
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AgentError)) throw error;
    const { title, detail: why, output } = error.problem;
    const text = [detail, why, ...output].join('\n');
    return [{ level: 'problem', title, detail: text, fix: 'editAgents' }];
  } finally {
    held.dispose();
  }
}

function answers({ initialized }: AgentLink, agent: Agent): Finding[] {
  const { protocolVersion, agentInfo, agentCapabilities } = initialized;
  const name = [agentInfo?.title ?? agentInfo?.name, agentInfo?.version].filter(Boolean).join(' ');
  const { http, sse } = agentCapabilities?.mcpCapabilities ?? {};
  const mcp = ['stdio', ...(http === true ? ['http'] : []), ...(sse === true ? ['sse'] : [])];
  const methods = agent.authMethods().map(method => method.name);
  return [
    {
      level: 'ok',
      title: l10n.t('It speaks version {0} of the protocol.', protocolVersion),
      ...(name !== '' && { detail: name }),
    },
    {
      level: 'note',
      title: l10n.t('It accepts MCP servers over {0}.', mcp.join(', ')),
    },
    {
      level: 'note',
      title:
        methods.length === 0
          ? l10n.t('It offers no sign-in: it uses its own, or a key.')
          : l10n.t('It offers to sign in with {0}.', methods.join(', ')),
    },
  ];
}
