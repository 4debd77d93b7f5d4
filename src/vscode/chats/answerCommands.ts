import * as vscode from 'vscode';
import type { ChatViews } from '../chatView/chatViews';
import type { DiffEditor } from '../review/diff/diffEditor';
import type { ChatRequests } from './chatRequests';
import { showInformationMessage } from '../messages';

/** Presses that follow each other faster are one, in milliseconds: a key that is held, or pressed twice. */
const BURST_MS = 300;

/**
 * `parley.allow` and `parley.reject`: the proposal in the diff editor, else the request that has waited longest in
 * the chat in view. Nothing is answered that its user cannot see: it is shown instead.
 */
export class AnswerCommands {
  private pressedAt = -Infinity;

  constructor(
    private readonly requests: ChatRequests,
    private readonly diffs: Pick<DiffEditor, 'proposalAt'>,
    private readonly views: ChatViews,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param uri the proposal whose button was clicked; any other address answers nothing */
  async answer(what: 'allow' | 'reject', uri: unknown): Promise<void> {
    const { requests, diffs, views } = this;
    const isBurst = this.now() - this.pressedAt < BURST_MS;
    this.pressedAt = this.now();
    if (isBurst) return;
    const at = uri instanceof vscode.Uri ? uri : undefined;
    const proposal = diffs.proposalAt(at)?.request;
    const target = proposal ?? (at ? undefined : requests.oldest(views.current?.chatId));
    if (!target) {
      say(vscode.l10n.t('No request is waiting for you.'));
      return;
    }
    const { chatId, requestId } = target;
    if (!proposal && !(chatId === views.current?.chatId && views.isVisible(chatId))) {
      await views.reveal(chatId);
      say(vscode.l10n.t('The request waits in this chat. Read it, then answer it here.'));
      return;
    }
    switch (requests.standing(target, what)) {
      case 'ready':
        if (proposal) requests.answer(target, what);
        else views.answer(chatId, requestId, what);
        return;
      case 'notSeen':
        await views.reveal(chatId);
        say(vscode.l10n.t('Parts of this request are cut off. Open them before you allow it.'));
        return;
      case 'none':
        await views.reveal(chatId);
        say(
          what === 'allow'
            ? vscode.l10n.t(
                'The agent has no plain "allow" option. Choose one of its options in the chat.',
              )
            : vscode.l10n.t(
                'The agent has no plain "reject" option. Choose one of its options in the chat.',
              ),
        );
    }
  }
}

function say(message: string): void {
  void showInformationMessage(message);
}
