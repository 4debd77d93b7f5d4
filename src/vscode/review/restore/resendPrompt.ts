import * as vscode from 'vscode';
import type { Chat } from '../../../session/chats';
import type { ModelChoice } from '../../../session/lifecycle/sessionController';
import type { ConfigSelect } from '../../../session/state/config';
import type { PromptChange } from '../../../session/turns/changedMessage';
import type { ChatViews } from '../../chatView/chatViews';
import type { AgentChoice } from '../../../shared/panelState';
import type { Attachment, SessionState } from '../../../session/state/state';
import { inform, pickPrompt, promptsOf, type RestorePrompt } from './restorePrompt';

/** What it takes to ask another agent. */
export interface OtherAgents {
  choices(): readonly AgentChoice[];
  /** A new chat, which is shown. */
  newChat(agentName: string): Promise<Chat | undefined>;
  conversation(chat: SessionState, title: string): Promise<Attachment>;
}

type Answerer =
  { readonly model: ModelChoice; readonly agent?: undefined } | { readonly agent: string };

/** Sends a prompt again, changed or as it is, from where it stood: what came after it is restored first. */
export class ResendPrompt {
  constructor(
    private readonly restore: RestorePrompt,
    private readonly views: ChatViews,
    private readonly agents: OtherAgents,
  ) {}

  /** From the palette: a prompt of the current chat, which is then changed in its place. */
  async pickToEdit(): Promise<void> {
    const turns = this.promptsHere();
    if (turns.length === 0) return inform(vscode.l10n.t('There is no prompt to edit yet.'));
    const turnId = await pickPrompt(turns, vscode.l10n.t('Select a prompt to edit'));
    if (turnId !== undefined) await this.views.command({ type: 'editPrompt', turnId });
  }

  /** From the palette: another answer to the last prompt of the current chat. */
  async tryLastAgain(): Promise<void> {
    const chat = this.views.current;
    const turnId = this.promptsHere().at(-1)?.id;
    if (!chat || turnId === undefined) {
      return inform(vscode.l10n.t('There is no answer to try again yet.'));
    }
    await this.resend(chat, turnId);
  }

  /** Another answer by a model or an agent that the user picks. */
  async tryAgainWith(chat: Chat, turnId: string): Promise<void> {
    const answerer = await pickAnswerer(chat, this.agents);
    if (answerer?.agent === undefined) {
      if (answerer) await this.resend(chat, turnId, {}, answerer.model);
      return;
    }
    await this.askOther(chat, turnId, answerer.agent);
  }

  /** In a chat of its own, with what was said before: this one stays as it is. */
  private async askOther(chat: Chat, turnId: string, agentName: string): Promise<void> {
    const { state } = chat.store;
    const turn = promptsOf(state).find(({ id }) => id === turnId);
    if (!turn?.prompt || this.isWorking(chat)) return;
    if (!(await this.restore.restoreForResend(chat, turn))) return;
    const { text, attachments } = turn.prompt;
    const turns = state.turns.slice(0, state.turns.indexOf(turn));
    const before =
      turns.length === 0
        ? []
        : [
            await this.agents.conversation(
              { ...state, turns },
              vscode.l10n.t('Conversation with {0}', state.agent.name),
            ),
          ];
    const other = await this.agents.newChat(agentName);
    for (const each of [...before, ...attachments.filter(({ kind }) => kind !== 'conversation')]) {
      other?.controller.attach(each);
    }
    other?.controller.send(text);
  }

  async resend(
    chat: Chat,
    turnId: string,
    change?: PromptChange,
    model?: ModelChoice,
  ): Promise<void> {
    const turn = promptsOf(chat.store.state).find(({ id }) => id === turnId);
    if (!turn) return;
    if (this.isWorking(chat)) return;
    const message = chat.controller.changedPrompt(turnId, change);
    if (!message || !(await this.restore.restoreForResend(chat, turn))) return;
    await chat.controller.resend(turnId, message, model);
  }

  private isWorking({ store }: Chat): boolean {
    if (!store.state.activeTurn) return false;
    inform(vscode.l10n.t('The agent is still working. Stop it first, then send again.'));
    return true;
  }

  private promptsHere(): ReturnType<typeof promptsOf> {
    const chat = this.views.current;
    return chat ? promptsOf(chat.store.state) : [];
  }
}

function modelOf({ store }: Chat): ConfigSelect | undefined {
  const option = store.state.configOptions.find(({ category }) => category === 'model');
  return option?.type === 'select' ? option : undefined;
}

async function pickAnswerer(chat: Chat, agents: OtherAgents): Promise<Answerer | undefined> {
  const option = modelOf(chat);
  const models = (option?.groups ?? []).flatMap(({ choices }) => choices);
  const others = agents
    .choices()
    .filter(({ name, offer }) => offer === undefined && name !== chat.store.state.agent.name);
  const items: (vscode.QuickPickItem & { readonly answerer?: Answerer })[] = [
    ...(option && models.length > 1
      ? [
          separator(option.name),
          ...models.map(({ name, value, description }) => ({
            label: name,
            answerer: { model: { optionId: option.id, value } },
            ...(description !== undefined && { detail: description }),
            ...(value === option.value && { description: vscode.l10n.t('current') }),
          })),
        ]
      : []),
    ...(others.length > 0
      ? [
          separator(vscode.l10n.t('Another Agent, in a New Chat')),
          ...others.map(({ name, detail }) => ({
            label: name,
            detail,
            answerer: { agent: name },
          })),
        ]
      : []),
  ];
  if (items.length === 0) {
    inform(vscode.l10n.t('There is no other model or agent to try.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Try Again With…'),
    placeHolder: vscode.l10n.t('Choose a model or an agent'),
    matchOnDetail: true,
  });
  return picked?.answerer;
}

function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
