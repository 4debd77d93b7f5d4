import * as l10n from '@vscode/l10n';
import type { Composer } from '../composer';
import type { Notices } from '../notices';
import type { Agent, Environment } from '../ports';
import type { SessionConnection } from '../lifecycle/sessionConnection';
import type { Attachment } from '../state/state';
import type { SessionStore } from '../state/store';

export interface RewindParts {
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly connection: SessionConnection;
  readonly notices: Notices;
  readonly environment: Pick<Environment, 'newId'>;
}

/**
 * Takes the conversation back to before a turn: its prompt goes back to the composer, and the agent begins
 * anew with the next message, to which what was said before is attached (the protocol has no way to take a
 * session back). Does nothing while a turn runs.
 */
export async function rewind(
  { store, connection, notices, agent, environment }: RewindParts,
  composer: Composer,
  turnId: string,
): Promise<void> {
  const isThere = () => store.state.turns.some(({ id }) => id === turnId);
  if (!isThere() || store.state.activeTurn) return;
  await connection.close();
  const { turns, draft, activeTurn } = store.state;
  const prompt = turns.find(({ id }) => id === turnId)?.prompt;
  if (!isThere() || activeTurn) return;
  store.dispatch({ type: 'transcriptRewound', turnId });
  const conversation = store.state.turns.length > 0 ? [conversationSoFar(environment)] : [];
  composer.replace({
    text: [prompt?.text ?? '', draft.text].filter(text => text !== '').join('\n'),
    attachments: [
      ...conversation,
      ...[...(prompt?.attachments ?? []), ...draft.attachments].filter(
        ({ kind }) => kind !== 'conversation',
      ),
    ],
  });
  if (conversation.length === 0) return;
  notices.add(
    'info',
    l10n.t('The conversation was restored to this point.'),
    l10n.t(
      '{0} starts a new session with your next message. The conversation above is attached to it unless you remove it.',
      agent.name,
    ),
  );
}

function conversationSoFar(environment: Pick<Environment, 'newId'>): Attachment {
  const label = l10n.t('Conversation so far');
  return { id: environment.newId(), kind: 'conversation', label, title: label };
}
