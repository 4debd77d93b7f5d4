import * as vscode from 'vscode';
import type { Chat, Chats } from '../../session/chats';
import type { Agent } from '../../session/ports';
import type { AuthMethod } from '../../session/state/state';
import { showInformationMessage, showWarningMessage } from '../messages';

/** Lets the user choose a way to sign in to the chat's agent, and signs in. */
export async function signIn(
  { store, controller }: Chat,
  agent: Agent,
  chats: Pick<Chats, 'all'>,
): Promise<void> {
  const { name } = agent;
  // An agent says only when it has started how it can be signed in to.
  if (store.state.connection.kind === 'stopped') await controller.connect();
  const methods = agent.authMethods();
  if (methods.length === 0) {
    void showInformationMessage(
      store.state.connection.kind === 'failed'
        ? vscode.l10n.t('{0} is not running. See the chat.', name)
        : vscode.l10n.t('You cannot sign in to {0} from here. See its documentation.', name),
    );
    return;
  }
  const method = await choose(name, methods);
  if (method && (await mayInterrupt(chats, name))) await controller.signIn(method.id);
}

/** Asks first when a chat of that agent works: a sign-in may restart the agent. */
export async function mayInterrupt(chats: Pick<Chats, 'all'>, agentName: string): Promise<boolean> {
  const works = chats.all.some(
    ({ store: { state } }) => state.agent.name === agentName && state.activeTurn !== undefined,
  );
  if (!works) return true;
  const confirm = vscode.l10n.t('Sign In');
  const answer = await showWarningMessage(
    vscode.l10n.t('{0} is working. Sign in anyway?', agentName),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Signing in may restart the agent and stop its work in all chats. You can also wait until it is done.',
      ),
    },
    confirm,
  );
  return answer === confirm;
}

/** Signs out of the chat's agent, after asking: every chat with that agent is concerned. */
export async function signOut({ controller }: Chat, agent: Agent): Promise<void> {
  const { name } = agent;
  const confirm = vscode.l10n.t('Sign Out');
  const answer = await showWarningMessage(
    vscode.l10n.t('Sign out of {0}?', name),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The agent stops, and its saved credentials are deleted. Your chats are kept.',
      ),
    },
    confirm,
  );
  if (answer === confirm) await controller.signOut();
}

async function choose(
  agentName: string,
  methods: readonly AuthMethod[],
): Promise<AuthMethod | undefined> {
  if (methods.length === 1) return methods[0];
  const picked = await vscode.window.showQuickPick(
    methods.map(method => ({
      label: method.name,
      ...(method.description !== undefined && { detail: method.description }),
      method,
    })),
    { title: vscode.l10n.t('Sign In to {0}', agentName), matchOnDetail: true },
  );
  return picked?.method;
}
