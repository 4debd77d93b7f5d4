import { Emitter } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Chat, Chats } from '../../session/chats';
import { mayAllow, mayChoose } from '../../session/state/permission';
import type { PermissionRequest } from '../../session/state/permission';
import type { SessionState } from '../../session/state/state';
import type { AgentDiff, DiffContents, RequestKey } from '../review/diff/diffContents';
import type { WaitingRequests } from '../review/diff/diffEditor';

const NONE: SessionState['permissions'] = [];

/** The requests for permission of all chats, and the edits they are about. */
export class ChatRequests implements WaitingRequests, DiffContents, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  /** The last seen requests of each chat: the state's own list, which is the same object until it changes. */
  private readonly seen = new Map<string, SessionState['permissions']>();

  constructor(private readonly chats: Pick<Chats, 'all' | 'get' | 'onDidChange'>) {
    this.disposables.add(chats.onDidChange(chat => this.check(chat)));
  }

  isWaiting(key: RequestKey): boolean {
    return this.find(key) !== undefined;
  }

  isReplaced({ chatId, requestId, revision }: RequestKey): boolean {
    const request = this.requestsOf(chatId).find(({ id }) => id === requestId);
    return request !== undefined && request.revision !== revision;
  }

  /** False while something of the request is to be looked at first. */
  mayAllow(key: RequestKey): boolean {
    const request = this.find(key);
    return request !== undefined && mayAllow(request);
  }

  get count(): number {
    return this.chats.all.reduce((sum, chat) => sum + chat.store.state.permissions.length, 0);
  }

  /** The request that has waited longest, in `chatId` if one waits there. */
  oldest(chatId: string | undefined): RequestKey | undefined {
    const own = chatId === undefined ? undefined : this.requestsOf(chatId)[0];
    if (own && chatId !== undefined) return keyOf(chatId, own);
    const all = this.chats.all.flatMap(chat =>
      chat.store.state.permissions.map(request => ({ chatId: chat.chatId, request })),
    );
    all.sort((a, b) => a.request.requestedAt - b.request.requestedAt);
    const first = all[0];
    return first && keyOf(first.chatId, first.request);
  }

  /**
   * Whether the request can be answered with the agent's own option for this once. `none` when it offers none: what
   * lasts is only ever chosen by its name. `notSeen` when there is something of it to look at first.
   */
  standing(key: RequestKey, answer: 'allow' | 'reject'): 'ready' | 'none' | 'notSeen' {
    const request = this.find(key);
    const option = request?.options.find(({ kind }) => kind === `${answer}_once`);
    if (!request || !option) return 'none';
    return mayChoose(request, option) ? 'ready' : 'notSeen';
  }

  answer(key: RequestKey, answer: 'allow' | 'reject'): void {
    const { chatId, requestId, revision } = key;
    const option = this.find(key)?.options.findIndex(({ kind }) => kind === `${answer}_once`) ?? -1;
    this.chats.get(chatId)?.controller.answerPermission({ requestId, revision, option });
  }

  diff(chatId: string, ref: string): AgentDiff | undefined {
    const content = this.chats.get(chatId)?.controller.contents.get(ref);
    if (content?.kind !== 'diff') return undefined;
    const request = this.requestsOf(chatId).find(({ asked }) =>
      asked.content.some(item => item.kind === 'diff' && item.diff.ref === ref),
    );
    return { ...content.diff, ...(request && { request: keyOf(chatId, request) }) };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private find({ chatId, requestId, revision }: RequestKey): PermissionRequest | undefined {
    const request = this.requestsOf(chatId).find(({ id }) => id === requestId);
    return request?.revision === revision ? request : undefined;
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

function keyOf(chatId: string, { id, revision }: PermissionRequest): RequestKey {
  return { chatId, requestId: id, revision };
}
