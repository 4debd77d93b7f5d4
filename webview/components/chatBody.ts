import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { FormValues } from '../../src/session/state/elicitation';
import type { SessionState } from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';
import type { Ask } from '../composer/mentionList';
import './connecting';
import { problemCard } from './problem';
import { readyHero } from './emptyChat';
import { signInCard } from './signIn';

export interface ChatBodyView {
  readonly panel: PanelState;
  readonly session: SessionState;
  /** What is shown is a subagent's conversation. */
  readonly isSubagent: boolean;
  readonly now: () => number;
  /** What was filled in into forms, by their ids. */
  readonly filled: Readonly<Record<string, FormValues>> | undefined;
  readonly ask: Ask;
  readonly onSuggest: (prompt: string) => void;
  readonly onShowChats: () => void;
}

/** The conversation; or, while there is none, how it comes to be one. */
export function chatBody(view: ChatBodyView): TemplateResult {
  const { session } = view;
  const empty =
    session.turns.length === 0 &&
    !session.activeTurn &&
    session.permissions.length === 0 &&
    session.elicitations.length === 0;
  if (empty) {
    return html`<section
      class="log"
      role="log"
      aria-label=${l10n.t('Conversation')}
      aria-live="off"
      tabindex="0"
    >
      ${beforeConversation(view)}
    </section>`;
  }
  return html`<parley-transcript
    .session=${session}
    .isSubagent=${view.isSubagent}
    .now=${view.now}
    .filled=${view.filled}
    .ask=${view.ask}
    .tail=${afterConversation(view)}
  ></parley-transcript>`;
}

function beforeConversation(view: ChatBodyView): TemplateResult {
  const { session, panel } = view;
  const { connection, agent } = session;
  switch (connection.kind) {
    case 'starting':
      return html`<parley-connecting
        .connection=${connection}
        .agentName=${agent.name}
        .workspaceName=${panel.workspaceName}
        .now=${view.now}
      ></parley-connecting>`;
    case 'signIn':
      return signInCard(connection, agent.name);
    case 'failed':
      return problemCard(connection.problem);
    case 'ready':
    case 'stopped':
      return readyHero({
        agentName: agent.name,
        panel,
        commands: session.commands,
        now: view.now(),
        onSuggest: view.onSuggest,
        onShowChats: view.onShowChats,
      });
    default:
      return assertNever(connection);
  }
}

/** What stands below the last turn while the agent is not there. */
function afterConversation(view: ChatBodyView): TemplateResult | typeof nothing {
  const { session } = view;
  const { connection, agent } = session;
  switch (connection.kind) {
    case 'starting':
      return html`<parley-connecting
        .connection=${connection}
        .agentName=${agent.name}
        .now=${view.now}
        .brief=${true}
      ></parley-connecting>`;
    case 'signIn':
      return signInCard(connection, agent.name);
    case 'failed':
      return problemCard(connection.problem);
    case 'ready':
    case 'stopped':
      return nothing;
    default:
      return assertNever(connection);
  }
}
