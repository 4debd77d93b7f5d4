/** Chats whose state is real and whose agents are the test, from what they say to what is found. */
import type { TestContext } from 'node:test';
import { Emitter } from '../../../../src/base/event';
import { nullLogger } from '../../../../src/base/logger';
import { ChatFeed } from '../../../../src/review/checkpoints/chatFeed';
import type { Tracker } from '../../../../src/review/checkpoints/tracker';
import type { Chat } from '../../../../src/session/chats';
import type { SessionAction, ToolCallAction } from '../../../../src/session/state/actions';
import { initialSession } from '../../../../src/session/state/initialSession';
import { SessionStore } from '../../../../src/session/state/store';
import { Contents } from '../../../../src/session/translate/contents';

export interface TestChat {
  readonly chat: Chat;
  /** Begins a turn; resolves when the agent may begin. */
  begin(): Promise<void>;
  finish(): void;
  call(id: string, change: Partial<ToolCallAction>): void;
  /** Runs `work` as a command that the agent announces. */
  command(title: string, work: () => unknown): Promise<void>;
  dispatch(action: SessionAction): void;
}

/** @param names of the agents, one chat for each */
export function chatsOf(
  t: Pick<TestContext, 'after'>,
  tracker: Tracker,
  cwd: string,
  ...names: readonly string[]
): readonly TestChat[] {
  const added = new Emitter<Chat>();
  const all = names.map(agentName => {
    const state = initialSession({ chatId: `chat-${agentName}`, agentName, cwd, at: 0 });
    const parts = { store: new SessionStore(state), controller: { contents: new Contents() } };
    return { chatId: state.chatId, ...parts } as unknown as Chat;
  });
  const chats = { all, onDidAdd: added.event, onDidDelete: added.event };
  const feed = new ChatFeed(chats, tracker, nullLogger);
  t.after(() => feed.dispose());
  return all.map(chat => {
    let turns = 0;
    let calls = 0;
    const dispatch = (action: SessionAction) => chat.store.dispatch(action);
    const call: TestChat['call'] = (toolCallId, change) =>
      dispatch({
        type: 'toolCallChanged',
        turnId: `turn-${turns}`,
        partId: `part-${toolCallId}`,
        toolCallId,
        announced: change.status !== 'completed',
        at: 0,
        ...change,
      });
    return {
      chat,
      dispatch,
      call,
      async begin() {
        const turnId = `turn-${++turns}`;
        const prompt = { id: turnId, text: 'go', attachments: [] };
        dispatch({ type: 'turnStarted', turnId, prompt, at: 0 });
        await feed.promptReady(chat.chatId);
      },
      finish() {
        const end = { reason: 'end_turn' } as const;
        dispatch({ type: 'turnEnded', end, planPartId: 'plan', at: 0 });
      },
      async command(title, work) {
        const id = `command-${++calls}`;
        call(id, { toolKind: 'execute', title, status: 'running' });
        await work();
        call(id, { status: 'completed' });
        await tracker.idle();
      },
    };
  });
}
