import * as vscode from 'vscode';
import { lazy } from '../../../base/lazy';
import type { Disposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/logger';
import type { Chat } from '../../../session/chats';
import type { ChatViews } from '../../chatView/chatViews';
import type { FilesRewind, RestorePrompt } from './restorePrompt';
import { showErrorMessage } from '../../messages';

export const RESTORE_COMMAND = 'parley.restorePrompt';
export const UNDO_RESTORE_COMMAND = 'parley.undoRestore';

/** The ways to “Restore to Before This Prompt”, which is loaded when it is asked for. */
export class RestoreCommands implements Disposable {
  private readonly commands: readonly vscode.Disposable[];
  private readonly prompt: () => Promise<RestorePrompt>;

  /** @param ready resolves when the chats of earlier windows, and what they touched, are there */
  constructor(
    rewind: FilesRewind,
    views: ChatViews,
    ready: () => Promise<unknown>,
    logger: Logger,
  ) {
    this.prompt = lazy(async () => {
      const { RestorePrompt } = await import('./restorePrompt');
      return new RestorePrompt(rewind, views);
    });
    const register = (id: string, run: (prompt: RestorePrompt) => Promise<void>) =>
      vscode.commands.registerCommand(id, async () => {
        try {
          await ready();
          await run(await this.prompt());
        } catch (error) {
          logger.error(`${id} failed`, error);
          const message = error instanceof Error ? error.message : String(error);
          void showErrorMessage(vscode.l10n.t('Parley: {0}', message));
        }
      });
    this.commands = [
      register(RESTORE_COMMAND, prompt => prompt.pick()),
      register(UNDO_RESTORE_COMMAND, prompt => prompt.undoRestore()),
    ];
  }

  async ask(chat: Chat, turnId: string): Promise<void> {
    await (await this.prompt()).ask(chat, turnId);
  }

  dispose(): void {
    for (const command of this.commands) command.dispose();
  }
}
