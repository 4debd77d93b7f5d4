import type * as schema from '../../acp/schema/schema';
import type { AgentLink } from '../ports';
import type { SessionAction } from '../state/actions';
import type { AgentCapabilities } from '../state/state';
import { withoutEscapes } from '../../base/escapeSequences';
import { boundedText } from '../translate/updateBounds';

/** UTF-16 units of an agent's name and version. */
const MAX_NAME = 200;

/** Who the agent of a chat says it is, where it runs, and what it can do. */
export function identified(link: AgentLink): SessionAction {
  const { agentInfo, agentCapabilities } = link.initialized;
  return {
    type: 'agentIdentified',
    ...(agentInfo?.title ? { title: boundedText(withoutEscapes(agentInfo.title), MAX_NAME) } : {}),
    ...(agentInfo?.version
      ? { version: boundedText(withoutEscapes(agentInfo.version), MAX_NAME) }
      : {}),
    ...(link.place !== undefined && { place: boundedText(link.place, MAX_NAME) }),
    capabilities: { ...capabilitiesOf(agentCapabilities), ...(link.steers && { steer: true }) },
  };
}

function capabilitiesOf(capabilities: schema.AgentCapabilities | undefined): AgentCapabilities {
  const prompt = capabilities?.promptCapabilities;
  const sessions: (schema.SessionCapabilities & schema.ForkCapability) | undefined =
    capabilities?.sessionCapabilities;
  return {
    image: prompt?.image === true,
    audio: prompt?.audio === true,
    embeddedContext: prompt?.embeddedContext === true,
    loadSession: capabilities?.loadSession === true,
    resumeSession: Boolean(sessions?.resume),
    ...(sessions?.fork && { fork: true }),
    ...(capabilities?.auth?.logout && { signOut: true }),
  };
}
