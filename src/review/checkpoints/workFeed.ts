import type { SessionAction } from '../../session/state/actions';
import type { Chat } from '../../session/chats';
import type { ToolCallPart } from '../../session/state/state';
import { findToolCall } from '../../session/state/toolCalls';
import type { TurnRef } from '../model';
import type { Tracker } from './tracker';

/** Kinds of tool calls that change nothing by themselves; of the others one cannot know. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'search', 'fetch', 'switch_mode']);
/** Kinds that change files: seen at their end only, they say that their agent tells late. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move', 'execute']);

/** What is left running behind a command that has ended. */
const IN_BACKGROUND =
  /"(?:run_in_background|is_?background|background)"\s*:\s*true|[^&>]&\s*(?:["'`;)\\]|$)|\b(?:nohup|setsid|disown)\b/im;
const GIT = /\bgit\b/;

/** How an agent speaks of what it does: `tells` before it does it, or some of it only afterwards. */
type Habit = 'tells' | 'late';

/** Tells the tracker when agents are at work on what may change files, from what their chats say. */
export class WorkFeed {
  /** By agent: what one of its chats shows counts for all. */
  private readonly habits = new Map<string, Habit>();
  /** Tool calls seen in the running turn of a chat. */
  private readonly seen = new Map<string, Set<string>>();

  constructor(private readonly tracker: Pick<Tracker, 'workOf' | 'judgeAgain'>) {}

  turnStarted(chat: Chat, ref: TurnRef): void {
    this.seen.set(chat.chatId, new Set());
    const work = this.tracker.workOf(ref);
    if (work) work.isTold = this.habits.get(agentOf(chat)) === 'tells';
    // Commands of earlier turns may still be running.
    for (const { id, command, endedAt, startedAt } of Object.values(chat.store.state.terminals)) {
      if (endedAt === undefined) work?.began(terminalKey(id), workOf(command), startedAt);
    }
  }

  forget(chatId: string): void {
    this.seen.delete(chatId);
  }

  applied(chat: Chat, ref: TurnRef, action: SessionAction): void {
    const work = this.tracker.workOf(ref);
    switch (action.type) {
      case 'toolCallChanged':
        return this.toolCall(chat, ref, action.toolCallId, action.at);
      case 'permissionRequested':
        return this.toolCall(chat, ref, action.request.toolCallId, action.request.requestedAt);
      case 'permissionAnswered':
        // Which call it was about is not told; the others are as they were.
        for (const part of chat.store.state.activeTurn?.parts ?? []) {
          if (part.kind === 'tool') this.toolCall(chat, ref, part.toolCallId, action.at, true);
        }
        return;
      case 'terminalStarted':
        work?.began(terminalKey(action.terminalId), workOf(action.command), action.at);
        return;
      case 'terminalExited':
        work?.ended(terminalKey(action.terminalId), action.at);
        return;
      default:
    }
  }

  private toolCall(chat: Chat, ref: TurnRef, toolCallId: string, at: number, exact = false): void {
    const call = findToolCall(chat.store.state, toolCallId);
    const seen = this.seen.get(chat.chatId);
    const work = this.tracker.workOf(ref);
    if (!call || !seen || !work) return;
    if (!seen.has(toolCallId)) {
      seen.add(toolCallId);
      this.learn(chat, ref, call);
    }
    switch (call.status) {
      case 'pending':
      case 'running':
        work.began(toolCallId, { ...workOf(textOf(call)), onlyNamed: isHarmless(call), exact }, at);
        return;
      case 'awaiting':
      case 'rejected':
      case 'cancelled':
        work.ended(toolCallId, at);
        return;
      case 'completed':
      case 'failed':
        // What it left running works on until the turn ends, for all one can know.
        if (!isHarmless(call) && IN_BACKGROUND.test(textOf(call))) return;
        work.ended(toolCallId, at);
    }
  }

  private learn(chat: Chat, ref: TurnRef, { status, toolKind }: ToolCallPart): void {
    const agent = agentOf(chat);
    const work = this.tracker.workOf(ref);
    if (status === 'completed' && CHANGING.has(toolKind)) {
      this.habits.set(agent, 'late');
      if (work?.isTold) {
        work.isTold = false;
        this.tracker.judgeAgain(ref);
      }
      return;
    }
    if (HARMLESS.has(toolKind) || status === 'completed' || status === 'failed') return;
    if (!this.habits.has(agent)) this.habits.set(agent, 'tells');
    if (work) work.isTold = this.habits.get(agent) === 'tells';
  }
}

function workOf(text: string): { readonly onlyNamed: boolean; readonly usesGit: boolean } {
  return { onlyNamed: false, usesGit: GIT.test(text) };
}

function isHarmless({ toolKind }: ToolCallPart): boolean {
  return HARMLESS.has(toolKind);
}

function textOf({ title, rawInput }: ToolCallPart): string {
  return `${title}\n${rawInput?.text ?? ''}`;
}

function terminalKey(terminalId: string): string {
  return `terminal:${terminalId}`;
}

function agentOf(chat: Chat): string {
  return chat.store.state.agent.name;
}
