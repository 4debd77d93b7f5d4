import * as vscode from 'vscode';
import { lazy } from '../../../base/lazy';
import type { Disposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/logger';
import type { Chat } from '../../../session/chats';
import type { ChatViews } from '../../chatView/chatViews';
import type { PromptChange } from '../../../session/turns/changedMessage';
import type { OtherAgents, ResendPrompt } from './resendPrompt';
import type { FilesRewind, RestorePrompt } from './restorePrompt';
import { showErrorMessage } from '../../messages';

/** The commands of the manifest that are about earlier prompts. */
export const PROMPT_COMMANDS = [
  'parley.restorePrompt',
  'parley.undoRestore',
  'parley.editPrompt',
  'parley.retry',
] as const;

interface Prompts {
  readonly restore: RestorePrompt;
  readonly resend: ResendPrompt;
}

/** The ways to go back to before a prompt, and to send it again from there; loaded when asked for. */
export class RestoreCommands implements Disposable {
  private readonly commands: readonly vscode.Disposable[];
  private readonly prompts: () => Promise<Prompts>;

  /** @param ready resolves when the chats of earlier windows, and what they touched, are there */
  constructor(
    rewind: FilesRewind,
    views: ChatViews,
    agents: OtherAgents,
    ready: () => Promise<unknown>,
    logger: Logger,
  ) {
    this.prompts = lazy(async () => {
      const [{ RestorePrompt }, { ResendPrompt }] = await Promise.all([
        import('./restorePrompt'),
        import('./resendPrompt'),
      ]);
      const restore = new RestorePrompt(rewind, views);
      return { restore, resend: new ResendPrompt(restore, views, agents) };
    });
    const handlers: {
      readonly [Id in (typeof PROMPT_COMMANDS)[number]]: (prompts: Prompts) => Promise<void>;
    } = {
      'parley.restorePrompt': ({ restore }) => restore.pick(),
      'parley.undoRestore': ({ restore }) => restore.undoRestore(),
      'parley.editPrompt': ({ resend }) => resend.pickToEdit(),
      'parley.retry': ({ resend }) => resend.tryLastAgain(),
    };
    this.commands = PROMPT_COMMANDS.map(id =>
      vscode.commands.registerCommand(id, async () => {
        try {
          await ready();
          await handlers[id](await this.prompts());
        } catch (error) {
          logger.error(`${id} failed`, error);
          const message = error instanceof Error ? error.message : String(error);
          void showErrorMessage(vscode.l10n.t('Parley: {0}', message));
        }
      }),
    );
  }

  async ask(chat: Chat, turnId: string): Promise<void> {
    const { restore } = await this.prompts();
    await restore.ask(chat, turnId);
  }

  async resend(chat: Chat, turnId: string, change?: PromptChange): Promise<void> {
    const { resend } = await this.prompts();
    await resend.resend(chat, turnId, change);
  }

  async tryAgainWith(chat: Chat, turnId: string): Promise<void> {
    const { resend } = await this.prompts();
    await resend.tryAgainWith(chat, turnId);
  }

  dispose(): void {
    for (const command of this.commands) command.dispose();
  }
}
