import * as l10n from '@vscode/l10n';
import type { Composer } from '../composer';
import type { Notices } from '../notices';
import type { Agent, Environment } from '../ports';
import type { SessionConnection } from '../lifecycle/sessionConnection';
import type { Attachment, Message } from '../state/state';
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
 * a new session with the next message, to which what was said before is attached (the protocol has no way to take a
 * session back). Does nothing while a turn runs.
 */
export async function rewind(
  parts: RewindParts,
  composer: Composer,
  turnId: string,
): Promise<void> {
  const rewound = await rewindTranscript(parts, turnId);
  if (!rewound) return;
  const { prompt, conversation } = rewound;
  const { draft } = parts.store.state;
  composer.replace({
    text: [prompt?.text ?? '', draft.text].filter(text => text !== '').join('\n'),
    attachments: [
      ...conversation,
      ...[...(prompt?.attachments ?? []), ...draft.attachments].filter(isOfUser),
    ],
  });
  if (conversation.length === 0) return;
  parts.notices.add(
    'info',
    l10n.t('The conversation was restored to this point.'),
    l10n.t(
      '{0} starts a new session with your next message. The conversation above is attached to it unless you remove it.',
      parts.agent.name,
    ),
  );
}

/**
 * Takes the conversation back to before a turn, as `rewind` does.
 * @returns `message` with what the agent does not know any more, to be sent in the place of the turn's prompt;
 * undefined when the turn is gone or another one runs
 */
export async function rewindFor(
  parts: RewindParts,
  message: Message,
  turnId: string,
): Promise<Message | undefined> {
  const rewound = await rewindTranscript(parts, turnId);
  if (!rewound) return undefined;
  const attachments = [...rewound.conversation, ...message.attachments.filter(isOfUser)];
  return { ...message, attachments };
}

async function rewindTranscript(
  { store, connection, environment }: RewindParts,
  turnId: string,
): Promise<
  { readonly prompt: Message | undefined; readonly conversation: readonly Attachment[] } | undefined
> {
  const turn = () => store.state.turns.find(({ id }) => id === turnId);
  if (!turn() || store.state.activeTurn) return undefined;
  await connection.close();
  const rewound = turn();
  if (!rewound || store.state.activeTurn) return undefined;
  store.dispatch({ type: 'transcriptRewound', turnId });
  const conversation = store.state.turns.length > 0 ? [conversationSoFar(environment)] : [];
  return { prompt: rewound.prompt, conversation };
}

function isOfUser({ kind }: Attachment): boolean {
  return kind !== 'conversation';
}

function conversationSoFar(environment: Pick<Environment, 'newId'>): Attachment {
  const label = l10n.t('Conversation so far');
  return { id: environment.newId(), kind: 'conversation', label, title: label };
}
