import * as path from 'node:path';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { SessionAction } from '../../session/state/actions';
import type { Chat, Chats } from '../../session/chats';
import type { AgentTracking } from '../../session/ports';
import type { ToolCallPart } from '../../session/state/state';
import { findToolCall } from '../../session/state/toolCalls';
import type { FileDiff } from '../../session/translate/contents';
import type { TurnRef } from '../model';
import type { Tracker } from './tracker';

/** Kinds of tool calls that have changed the files that they name. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/** Kinds of tool calls that change nothing by themselves; of the others one cannot know. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'search', 'fetch', 'think', 'switch_mode']);

/** Brings the tracker what chats say: turns, commands, the files that tool calls name, the diffs they carry. */
export class ChatFeed implements AgentTracking, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly watched = new Map<string, Disposable>();
  private readonly running = new Map<string, TurnRef>();
  private readonly starting = new Map<string, Promise<void>>();

  constructor(
    chats: Pick<Chats, 'all' | 'onDidAdd' | 'onDidDelete'>,
    private readonly tracker: Tracker,
    private readonly logger: Logger,
  ) {
    this.disposables.add(chats.onDidAdd(chat => this.watch(chat)));
    this.disposables.add(chats.onDidDelete(chat => this.forget(chat.chatId)));
    for (const chat of chats.all) this.watch(chat);
  }

  async promptReady(chatId: string): Promise<void> {
    await this.starting.get(chatId);
  }

  record<T>(turn: TurnRef, file: string, write: () => Promise<T>): Promise<T> {
    return this.tracker.record(turn, file, write);
  }

  dispose(): void {
    for (const subscription of this.watched.values()) subscription.dispose();
    this.disposables.dispose();
  }

  private watch(chat: Chat): void {
    if (chat.isReplay) return;
    // Chats of earlier windows only wait to be read: the workspace is looked at when one is used.
    if (chat.store.state.connection.kind !== 'stopped') void this.tracker.start();
    this.watched.set(
      chat.chatId,
      chat.store.onDidApply(({ action }) => this.applied(chat, action)),
    );
    const { activeTurn } = chat.store.state;
    if (activeTurn) this.turnStarted(chat, { chatId: chat.chatId, turnId: activeTurn.id });
  }

  private forget(chatId: string): void {
    this.watched.get(chatId)?.dispose();
    this.watched.delete(chatId);
    this.turnEnded(chatId);
    this.starting.delete(chatId);
  }

  private applied(chat: Chat, action: SessionAction): void {
    const { chatId } = chat;
    const ref = this.running.get(chatId);
    switch (action.type) {
      case 'connectionChanged':
        if (action.connection.kind === 'starting') void this.tracker.start();
        return;
      case 'turnStarted':
        return this.turnStarted(chat, { chatId, turnId: action.turnId });
      case 'turnEnded':
        return this.turnEnded(chatId);
      case 'toolCallChanged':
        return this.toolCall(chat, action.toolCallId, action.content !== undefined);
      case 'permissionRequested':
        return this.toolCall(chat, action.request.toolCallId, true);
      case 'permissionAnswered':
        // Which call it was about is not said; the others are as they were.
        for (const part of chat.store.state.activeTurn?.parts ?? []) {
          if (ref && part.kind === 'tool') this.work(ref, part);
        }
        return;
      case 'terminalStarted':
        if (ref) this.tracker.terminalBegan(ref, action.terminalId);
        return;
      case 'terminalExited':
        return this.tracker.terminalEnded(chatId, action.terminalId);
      default:
    }
  }

  private turnStarted(chat: Chat, ref: TurnRef): void {
    this.running.set(ref.chatId, ref);
    this.starting.set(
      ref.chatId,
      this.tracker.turnStarted(ref, chat.store.state.agent.name).catch((error: unknown) => {
        this.logger.error('The start of a turn was not tracked', error);
      }),
    );
  }

  private turnEnded(chatId: string): void {
    const ref = this.running.get(chatId);
    this.running.delete(chatId);
    if (!ref) return;
    // One that is cancelled at once must not begin after its end.
    const started = this.starting.get(chatId) ?? Promise.resolve();
    void started.then(() => this.tracker.turnEnded(ref));
  }

  private toolCall(chat: Chat, toolCallId: string, isContentNew: boolean): void {
    const ref = this.running.get(chat.chatId);
    const { state } = chat.store;
    const call = findToolCall(state, toolCallId);
    if (!ref || !call) return;
    const absolute = (file: string) => path.resolve(state.cwd, file);
    const diffs = call.content.flatMap(item => {
      const content =
        item.kind === 'diff' ? chat.controller.contents.get(item.diff.ref) : undefined;
      return content?.kind === 'diff' ? [content.diff] : [];
    });
    const changed = diffs.flatMap(({ path: file, oldPath = file }) => [file, oldPath]);
    const named = call.locations.map(location => absolute(location.path));
    const isHarmless = HARMLESS.has(call.toolKind);
    if (named.length > 0) this.tracker.named(ref, named, !isHarmless);
    if (changed.length > 0) this.tracker.named(ref, changed.map(absolute));
    if (isContentNew) {
      for (const diff of diffs.filter(saysBefore)) {
        this.tracker.diffed(ref, absolute(diff.path), diff);
      }
    }
    this.work(ref, call);
    const files = [...named, ...changed.map(absolute)];
    if (call.status === 'completed' || call.status === 'failed') {
      for (const file of files) this.tracker.touch(file);
    }
    if (call.status !== 'completed') return;
    const reported = CHANGING.has(call.toolKind) ? files : changed.map(absolute);
    this.tracker.reported(ref, reported);
  }

  private work(ref: TurnRef, { toolCallId, toolKind, status }: ToolCallPart): void {
    if (HARMLESS.has(toolKind)) return;
    if (status === 'pending' || status === 'running') this.tracker.commandBegan(ref, toolCallId);
    else this.tracker.commandEnded(ref, toolCallId);
  }
}

/** Whether a diff says what its file was before: with nothing removed in it, it may have been anything. */
function saysBefore({ change, oldText }: FileDiff): boolean {
  return change === 'added' || (change !== 'moved' && oldText !== null);
}
