import * as vscode from 'vscode';
import type { Chat } from '../../../session/chats';
import type { ModelChoice } from '../../../session/lifecycle/sessionController';
import type { ConfigSelect } from '../../../session/state/config';
import type { PromptChange } from '../../../session/turns/changedMessage';
import { pickChoice } from '../../chats/pickChoice';
import type { ChatViews } from '../../chatView/chatViews';
import { inform, pickPrompt, promptsOf, type RestorePrompt } from './restorePrompt';

/** Sends a prompt again, changed or as it is, from where it stood: what came after it is restored first. */
export class ResendPrompt {
  constructor(
    private readonly restore: RestorePrompt,
    private readonly views: ChatViews,
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

  /** Another answer by a model that the user picks. */
  async tryAgainWith(chat: Chat, turnId: string): Promise<void> {
    const option = modelOf(chat);
    if (!option) return;
    const value = await pickChoice(option);
    if (value !== undefined) await this.resend(chat, turnId, {}, { optionId: option.id, value });
  }

  async resend(
    chat: Chat,
    turnId: string,
    change?: PromptChange,
    model?: ModelChoice,
  ): Promise<void> {
    const turn = promptsOf(chat.store.state).find(({ id }) => id === turnId);
    if (!turn) return;
    if (chat.store.state.activeTurn) {
      return inform(vscode.l10n.t('The agent is still working. Stop it first, then send again.'));
    }
    const message = chat.controller.changedPrompt(turnId, change);
    if (!message || !(await this.restore.restoreForResend(chat, turn))) return;
    await chat.controller.resend(turnId, message, model);
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
