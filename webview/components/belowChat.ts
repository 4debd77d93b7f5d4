import { html, type TemplateResult } from 'lit';
import { backgroundWork } from '../../src/session/state/background';
import type { SessionState } from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';
import '../composer/composer';
import type { Ask } from '../composer/mentionList';
import '../footer/footer';
import type { ViewMemory } from '../host';
import {
  firstOutOfSight,
  isQueuePaused,
  isSettled,
  mentionsOf,
  promptsOf,
  queueNote,
} from './chatFacts';
import './dock';

const NO_CHOICES = {};
const NO_PLANS: NonNullable<SessionState['plans']> = [];

interface BelowParts {
  readonly session: SessionState;
  /** Requests that are out of the reader's sight, by their ids. */
  readonly hidden: ReadonlySet<string>;
  readonly memory: ViewMemory;
}

interface BelowSubagentParts extends BelowParts {
  /** The subagent's conversation. */
  readonly shown: SessionState;
}

interface BelowChatParts extends BelowParts {
  readonly panel: PanelState;
  readonly ask: Ask;
  /** Milliseconds since the epoch, by the host's clock. */
  readonly now: () => number;
}

/** What is said next goes to the agent of the chat: there is no composer. */
export function belowSubagent({
  session,
  shown,
  hidden,
  memory,
}: BelowSubagentParts): TemplateResult {
  return html`<parley-dock
    .waiting=${firstOutOfSight(session, shown, hidden)}
    .plans=${shown.plans ?? NO_PLANS}
    .running=${shown.activeTurn !== undefined}
    .open=${memory.dock ?? {}}
  ></parley-dock>`;
}

/** What stands below a conversation: the dock, the composer and the footer. */
export function belowChat({
  panel,
  session,
  hidden,
  memory,
  ask,
  now,
}: BelowChatParts): TemplateResult {
  const { agent, connection, activeTurn } = session;
  return html`<parley-dock
      .waiting=${firstOutOfSight(session, session, hidden)}
      .plan=${session.plan}
      .plans=${session.plans ?? NO_PLANS}
      .changes=${panel.changes}
      .settled=${isSettled(session)}
      .running=${activeTurn !== undefined}
      .background=${backgroundWork(session)}
      .queue=${session.queue}
      .queueNote=${queueNote(session)}
      .queuePaused=${isQueuePaused(session)}
      .open=${memory.dock ?? {}}
    ></parley-dock>
    <parley-composer
      .chatId=${session.chatId}
      .draft=${session.draft}
      .agentName=${agent.name}
      .connection=${connection.kind}
      .commands=${session.commands}
      .takesImages=${agent.capabilities.image}
      .running=${activeTurn !== undefined}
      .cancelling=${session.cancelling}
      .steers=${agent.capabilities.steer ?? false}
      .prompts=${promptsOf(session)}
      .earlierMentions=${mentionsOf(session)}
      .ask=${ask}
      .activeEditor=${panel.activeEditor}
      .editorMemory=${memory}
    ></parley-composer>
    <parley-footer
      .options=${session.configOptions}
      .recent=${memory.recentChoices?.[agent.name] ?? NO_CHOICES}
      .usage=${session.usage}
      .budget=${panel.chats.find(({ chatId }) => chatId === session.chatId)?.budget}
      .runningSince=${activeTurn && activeTurn.startedAt + (activeTurn.waited ?? 0)}
      .waitsSince=${activeTurn?.waitsSince}
      .now=${now}
    ></parley-footer>`;
}
