/** Sessions that agents keep themselves: those of other programs and of chats that Parley has forgotten. */
import type * as schema from '../../acp/schema/schema';
import type { Agent, AgentLink } from '../ports';
import { withoutEscapes } from '../../base/escapeSequences';
import { boundedText } from '../translate/updateBounds';

/** Of one page; UTF-16 units of a title. */
const MAX_SESSIONS = 1_000;
const MAX_TITLE = 500;

export interface AgentSession {
  readonly sessionId: string;
  readonly title?: string;
  /** Milliseconds since the epoch, when the agent sends it. */
  readonly updatedAt?: number;
}

export interface SessionPage {
  readonly sessions: readonly AgentSession[];
  /** Gives the next page to `list`; absent on the last. */
  readonly next?: string;
}

/** What an agent can do with the sessions it keeps, known once it runs. */
export interface SessionAbilities {
  readonly list: boolean;
  readonly delete: boolean;
  readonly fork: boolean;
  /** Whether they can be opened at all, by `session/load` or `session/resume`. */
  readonly open: boolean;
}

/** The sessions of one agent. Each call starts the agent if need be, and stops it if nobody else uses it. */
export class AgentSessions {
  constructor(
    private readonly agent: Agent,
    /** Absolute; only the sessions of this folder are asked for. */
    private readonly cwd: string,
  ) {}

  /** @throws AgentError when the agent cannot be started. */
  abilities(signal?: AbortSignal): Promise<SessionAbilities> {
    return this.with(link => Promise.resolve(abilitiesOf(link.initialized)), signal);
  }

  /** One page, in the agent's order. @throws AgentError, or the agent's own error. */
  list(cursor?: string, signal?: AbortSignal): Promise<SessionPage> {
    return this.with(async link => {
      const params = { cwd: this.cwd, ...(cursor !== undefined && { cursor }) };
      const { sessions, nextCursor } = await link.listSessions(params, signal);
      return {
        // An agent that ignores the folder says whose they are.
        sessions: sessions
          .filter(({ cwd }) => cwd === '' || cwd === this.cwd)
          .slice(0, MAX_SESSIONS)
          .map(sessionOf),
        // A cursor that leads to itself leads nowhere.
        ...(typeof nextCursor === 'string' && nextCursor !== cursor && { next: nextCursor }),
      };
    }, signal);
  }

  /** Ends it for good, at the agent. @throws AgentError, or the agent's own error. */
  delete(sessionId: string): Promise<void> {
    return this.with(link => link.deleteSession({ sessionId }));
  }

  private async with<T>(use: (link: AgentLink) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lease = this.agent.lease();
    try {
      return await use(await this.agent.connect(signal));
    } finally {
      lease.dispose();
    }
  }
}

export function abilitiesOf({ agentCapabilities }: schema.InitializeResponse): SessionAbilities {
  const capabilities: (schema.SessionCapabilities & schema.ForkCapability) | undefined =
    agentCapabilities?.sessionCapabilities;
  return {
    list: Boolean(capabilities?.list),
    delete: Boolean(capabilities?.delete),
    fork: Boolean(capabilities?.fork),
    open: Boolean(capabilities?.resume) || agentCapabilities?.loadSession === true,
  };
}

function sessionOf({ sessionId, title, updatedAt }: schema.SessionInfo): AgentSession {
  const time = typeof updatedAt === 'string' ? Date.parse(updatedAt) : NaN;
  return {
    sessionId,
    ...(title && { title: boundedText(withoutEscapes(title), MAX_TITLE) }),
    ...(Number.isFinite(time) && { updatedAt: time }),
  };
}
