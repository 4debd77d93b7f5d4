import { assertNever } from '../../base/assertNever';
import type { Review } from '../../review/review';
import type { Chat } from '../../session/chats';
import type { PromptChange } from '../../session/turns/changedMessage';
import type { ChangeActions, ChangeIntent } from '../chats/intentRouter';
import type { ReviewSurfaces } from '../review/reviewSurfaces';
import type { PanelChangeList } from './panelChanges';
import type { RestoreCommands } from '../review/restore/restoreCommands';

/** Carries out what the chat's bar "Changes" asks for. */
export class ChangeBar implements ChangeActions {
  constructor(
    private readonly review: Review,
    private readonly list: PanelChangeList,
    private readonly surfaces: ReviewSurfaces,
    private readonly restore: RestoreCommands,
  ) {}

  restorePrompt(chat: Chat, turnId: string): Promise<void> {
    return this.restore.ask(chat, turnId);
  }

  resendPrompt(chat: Chat, turnId: string, change?: PromptChange): Promise<void> {
    return this.restore.resend(chat, turnId, change);
  }

  tryAgainWith(chat: Chat, turnId: string): Promise<void> {
    return this.restore.tryAgainWith(chat, turnId);
  }

  async openChanges(path: string): Promise<boolean> {
    const file = this.review.get(path);
    if (!file) return false;
    const { editors } = await this.surfaces.tools();
    await editors.open(file, file.hunks[0]?.current.start);
    return true;
  }

  async handle(intent: ChangeIntent): Promise<void> {
    const { decisions, editors } = await this.surfaces.tools();
    switch (intent.type) {
      case 'reviewChanges':
        return editors.openAll();
      case 'keepAllChanges':
        return decisions.keep({ kind: 'all' });
      case 'undoAllChanges':
        return decisions.undo({ kind: 'all' });
      case 'notTheAgents': {
        const path = intent.id === undefined ? undefined : this.list.path(intent.id);
        // Of one that is not in the list any more there is nothing to say.
        if (path === undefined && intent.id !== undefined) return;
        return decisions.notTheAgents(path === undefined ? undefined : [path]);
      }
      case 'openChange':
      case 'keepFileChanges':
      case 'undoFileChanges': {
        const path = this.list.path(intent.id);
        const file = path === undefined ? undefined : this.review.get(path);
        // Decided on a moment ago: the row goes as well.
        if (!file) return;
        if (intent.type === 'openChange') return editors.open(file, file.hunks[0]?.current.start);
        const decision = intent.type === 'keepFileChanges' ? 'keep' : 'undo';
        return decisions[decision]({ kind: 'file', path: file.path });
      }
      default:
        assertNever(intent);
    }
  }
}
