import { Emitter } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Chat, Chats } from '../../session/chats';
import type { SessionState } from '../../session/state/state';
import { findToolCall } from '../../session/state/toolCalls';
import type { AgentDiff, DiffContents, RequestKey } from '../review/diffContents';
import type { WaitingRequests } from '../review/diffEditor';

const NONE: SessionState['permissions'] = [];

/** The requests for permission of all chats, and the edits they are about. */
export class ChatRequests implements WaitingRequests, DiffContents, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  /** The last seen requests of each chat: the state's own list, which is the same object until it changes. */
  private readonly seen = new Map<string, SessionState['permissions']>();

  constructor(private readonly chats: Chats) {
    this.disposables.add(chats.onDidChange(chat => this.check(chat)));
  }

  isWaiting({ chatId, requestId }: RequestKey): boolean {
    return this.requestsOf(chatId).some(({ id }) => id === requestId);
  }

  get count(): number {
    return this.chats.all.reduce((sum, chat) => sum + chat.store.state.permissions.length, 0);
  }

  /** The request that has waited longest, in `chatId` if one waits there. */
  oldest(chatId: string | undefined): RequestKey | undefined {
    const own = chatId === undefined ? undefined : this.requestsOf(chatId)[0];
    if (own && chatId !== undefined) return { chatId, requestId: own.id };
    const all = this.chats.all.flatMap(chat =>
      chat.store.state.permissions.map(request => ({ chatId: chat.chatId, request })),
    );
    all.sort((a, b) => a.request.requestedAt - b.request.requestedAt);
    const first = all[0];
    return first && { chatId: first.chatId, requestId: first.request.id };
  }

  /**
   * Answers with the agent's own option for this once. False when it offers none: what lasts is only ever
   * chosen by its name.
   */
  answer({ chatId, requestId }: RequestKey, answer: 'allow' | 'reject'): boolean {
    const request = this.requestsOf(chatId).find(({ id }) => id === requestId);
    const option = request?.options.find(({ kind }) => kind === `${answer}_once`);
    if (!option) return false;
    this.chats.get(chatId)?.controller.answerPermission(requestId, option.optionId);
    return true;
  }

  diff(chatId: string, ref: string): AgentDiff | undefined {
    const chat = this.chats.get(chatId);
    const content = chat?.controller.contents.get(ref);
    if (!chat || content?.kind !== 'diff') return undefined;
    const { state } = chat.store;
    const request = state.permissions.find(({ toolCallId }) =>
      findToolCall(state, toolCallId)?.content.some(
        item => item.kind === 'diff' && item.diff.ref === ref,
      ),
    );
    return { ...content.diff, ...(request && { request: { chatId, requestId: request.id } }) };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private requestsOf(chatId: string): SessionState['permissions'] {
    return this.chats.get(chatId)?.store.state.permissions ?? NONE;
  }

  private check({ chatId }: Chat): void {
    const now = this.requestsOf(chatId);
    if ((this.seen.get(chatId) ?? NONE) === now) return;
    if (this.chats.get(chatId)) this.seen.set(chatId, now);
    else this.seen.delete(chatId);
    this.changed.fire();
  }
}
