import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Rewind, RewindFile } from '../../../review/checkpoints/rewind';
import type { Chat } from '../../../session/chats';
import type { SessionState, Turn } from '../../../session/state/state';
import type { ChatViews } from '../../chatView/chatViews';
import { showInformationMessage, showWarningMessage } from '../../messages';

/** What a restore asks of the snapshots of files. */
export type FilesRewind = Pick<
  Rewind,
  'preview' | 'restoreFiles' | 'canUndoRestore' | 'undoRestore'
>;

type What = 'files' | 'conversation' | 'both';

interface Choice extends vscode.QuickPickItem {
  readonly what: What;
}

/** Characters of a prompt in a list. */
const MAX_PROMPT = 80;
/** Files named in the question. */
const MAX_NAMED = 10;

/** “Restore to Before This Prompt”: asks what is to go back, warns of what that costs, and does it. */
export class RestorePrompt {
  constructor(
    private readonly rewind: FilesRewind,
    private readonly views: ChatViews,
  ) {}

  /** From the palette: of the current chat, to before a prompt that the user picks. */
  async pick(): Promise<void> {
    const chat = this.views.current;
    const turns = chat ? promptsOf(chat.store.state) : [];
    if (!chat || turns.length === 0) {
      inform(vscode.l10n.t('There is no prompt to restore to yet.'));
      return;
    }
    const turnId = await pickPrompt(turns, vscode.l10n.t('Select a prompt to restore to'));
    if (turnId !== undefined) await this.ask(chat, turnId);
  }

  async ask(chat: Chat, turnId: string): Promise<void> {
    const { state } = chat.store;
    const turn = promptsOf(state).find(({ id }) => id === turnId);
    if (!turn) return;
    if (state.activeTurn) {
      inform(vscode.l10n.t('The agent is still working. Stop it first, then restore.'));
      return;
    }
    const files = await this.filesFrom(chat, turnId);
    const what = await askWhat(turn, files);
    if (what === undefined) return;
    if (what !== 'conversation' && !(await confirmLosses(files))) return;
    // The answer may have taken a while.
    if (chat.store.state.activeTurn) return;
    if (what !== 'conversation') await this.restoreFiles(chat, turnId);
    if (what !== 'files') await chat.controller.rewind(turnId);
  }

  /**
   * Before the prompt of `turn` is sent again: files go back to before it too, if the user wants that. Asks only when
   * there are any. False when the user wants nothing of it.
   */
  async restoreForResend(chat: Chat, turn: Turn): Promise<boolean> {
    const files = await this.filesFrom(chat, turn.id);
    const what = restorable(files).length === 0 ? 'conversation' : await askResend(turn, files);
    if (what === undefined) return false;
    if (what === 'both' && !(await confirmLosses(files))) return false;
    if (chat.store.state.activeTurn) return false;
    if (what === 'both') await this.restoreFiles(chat, turn.id);
    return true;
  }

  private filesFrom(chat: Chat, turnId: string): Promise<readonly RewindFile[]> {
    return this.rewind.preview(chat.chatId, turnIdsFrom(chat.store.state, turnId));
  }

  private async restoreFiles(chat: Chat, turnId: string): Promise<void> {
    const ids = turnIdsFrom(chat.store.state, turnId);
    const failures = await this.rewind.restoreFiles(chat.chatId, ids);
    const [first] = failures;
    if (first) {
      const name = path.basename(first.path);
      void showWarningMessage(
        failures.length === 1
          ? `${name}: ${first.message}`
          : vscode.l10n.t(
              '{0} files could not be restored. {1}: {2}',
              failures.length,
              name,
              first.message,
            ),
      );
    }
    if (this.rewind.canUndoRestore) void this.offerBack();
  }

  /** Not waited for: the message may stand for a long time. */
  private async offerBack(): Promise<void> {
    const back = vscode.l10n.t('Undo Restore');
    const answer = await showInformationMessage(
      vscode.l10n.t('The files are as they were before the prompt.'),
      back,
    );
    if (answer === back) await this.undoRestore();
  }

  /** Puts back what the last restore has overwritten, also in a later window. */
  async undoRestore(): Promise<void> {
    if (!this.rewind.canUndoRestore) {
      inform(vscode.l10n.t('There is no restore to undo.'));
      return;
    }
    const [failure] = await this.rewind.undoRestore();
    if (!failure) return;
    void showWarningMessage(`${path.basename(failure.path)}: ${failure.message}`);
  }
}

function restorable(files: readonly RewindFile[]): readonly RewindFile[] {
  return files.filter(({ unknown }) => !unknown);
}

function namesOf(files: readonly RewindFile[]): string {
  const names = files.slice(0, MAX_NAMED).map(({ path: file }) => path.basename(file));
  if (files.length > names.length) names.push('…');
  return names.join(', ');
}

/** Of a prompt that is sent again the conversation always goes back: the question is about the files. */
async function askResend(turn: Turn, files: readonly RewindFile[]): Promise<What | undefined> {
  const choices: readonly Choice[] = [
    {
      what: 'both',
      label: vscode.l10n.t('Files and Conversation'),
      detail: namesOf(restorable(files)),
    },
    {
      what: 'conversation',
      label: vscode.l10n.t('Conversation'),
      detail: vscode.l10n.t('Files are not changed.'),
    },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Send Again From "{0}"', shortened(turn)),
    placeHolder: vscode.l10n.t('What do you want to restore first?'),
  });
  return picked?.what;
}

async function askWhat(turn: Turn, files: readonly RewindFile[]): Promise<What | undefined> {
  const going = restorable(files);
  const conversation: Choice = {
    what: 'conversation',
    label: vscode.l10n.t('Conversation'),
    detail: vscode.l10n.t(
      'The prompt goes back to the message box. The agent starts a new session and gets the earlier conversation.',
    ),
  };
  const choices: readonly Choice[] =
    going.length === 0
      ? [conversation]
      : [
          {
            what: 'both',
            label: vscode.l10n.t('Files and Conversation'),
            detail: namesOf(going),
          },
          { what: 'files', label: vscode.l10n.t('Files'), detail: namesOf(going) },
          conversation,
        ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Restore to Before "{0}"', shortened(turn)),
    placeHolder:
      going.length === 0
        ? vscode.l10n.t('The agent changed no files since then.')
        : vscode.l10n.t('What do you want to restore?'),
  });
  return picked?.what;
}

/** The user's own later edits go with the agent's: they are asked about by name. */
async function confirmLosses(files: readonly RewindFile[]): Promise<boolean> {
  const edited = restorable(files).filter(({ editedSince }) => editedSince);
  if (edited.length === 0) return true;
  const restore = vscode.l10n.t('Restore');
  const names = edited
    .slice(0, MAX_NAMED)
    .map(({ path: file }) => vscode.workspace.asRelativePath(file));
  if (edited.length > names.length) names.push('…');
  const answer = await showWarningMessage(
    edited.length === 1
      ? vscode.l10n.t('One of the files was edited after the agent changed it.')
      : vscode.l10n.t('{0} of the files were edited after the agent changed them.', edited.length),
    {
      modal: true,
      detail: `${names.join('\n')}\n\n${vscode.l10n.t('Those edits are undone too. "Undo Restore" brings everything back.')}`,
    },
    restore,
  );
  return answer === restore;
}

/** Lets the user pick one of `turns` by its prompt, the latest first; its id. */
export async function pickPrompt(
  turns: readonly Turn[],
  placeHolder: string,
): Promise<string | undefined> {
  const items = turns.toReversed().map(turn => ({ label: shortened(turn), turnId: turn.id }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  return picked?.turnId;
}

/** Finished turns that began with a prompt, oldest first. */
export function promptsOf({ turns }: SessionState): readonly Turn[] {
  return turns.filter(({ prompt }) => prompt !== undefined);
}

/** This turn and all after it, oldest first. */
function turnIdsFrom({ turns }: SessionState, turnId: string): readonly string[] {
  const index = turns.findIndex(({ id }) => id === turnId);
  return index < 0 ? [] : turns.slice(index).map(({ id }) => id);
}

function shortened({ prompt }: Turn): string {
  const line = (prompt?.text ?? '').replace(/\s+/g, ' ').trim();
  return line.length > MAX_PROMPT ? `${line.slice(0, MAX_PROMPT - 1)}…` : line;
}

export function inform(message: string): void {
  void showInformationMessage(message);
}
