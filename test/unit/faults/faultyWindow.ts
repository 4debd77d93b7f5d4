/** A window with two agents, of which one does what it should not, and what there is of it: processes, files, messages. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import * as path from 'node:path';
import { marksAgent, withMark } from '../../../src/agents/process/processMark';
import { listProcesses } from '../../../src/agents/process/processTable';
import { nullLogger } from '../../../src/base/logger';
import type { Chat } from '../../../src/session/chats';
import { ChatHistory } from '../../../src/session/history/chatHistory';
import { parseHistory } from '../../../src/session/history/historyText';
import type { Environment } from '../../../src/session/ports';
import type { SessionState } from '../../../src/session/state/state';
import { FileHistoryStorage } from '../../../src/vscode/chats/fileHistoryStorage';
import { eventually } from '../../workbench/eventually';
import { temporaryFolder } from '../git/support';
import { text } from '../session/agentSteps';
import { untilState, world } from '../session/world';

export interface FaultyWindow {
  /** With the agent that is at fault, and with the other one. */
  readonly faulty: Chat;
  readonly calm: Chat;
  readonly storage: FileHistoryStorage;
  /** Where the chats are stored. */
  readonly folder: string;
  /** Everything that the user may read in the chat. */
  seen(chat: Chat): string;
  /** Milliseconds that the clock is ahead, or behind. */
  setClock(ahead: number): void;
  /** The other chat still works, and nothing that was typed or said in either is lost, on disk as well. */
  assertWhole(typed: readonly string[]): Promise<void>;
  /** Closes it; nothing of it may be left but the chats. */
  end(): Promise<void>;
}

/** @param seconds that the faulty agent may take for its first answers */
export async function faultyWindow(
  agentFile: string | undefined,
  seconds: number,
): Promise<FaultyWindow> {
  let limit = 120;
  let ahead = 0;
  const folder = path.join(temporaryFolder(), 'chats');
  const w = await world(
    {},
    {
      connect: false,
      isOtherGood: true,
      ...(agentFile !== undefined && { agentFile: resolve(`test/agents/${agentFile}.mjs`) }),
      agentLimits: () => ({ initializeSeconds: limit, maxLineBytes: 1024 * 1024 }),
      newSessionSeconds: () => limit,
      ahead: () => ahead,
    },
  );
  await w.chats.delete(w.chat.chatId);
  const environment: Environment = {
    now: () => Date.now() + ahead,
    newId: () => `f${(ids += 1)}`,
    after: (milliseconds, task) => {
      const timer = setTimeout(task, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
  };
  const storage = new FileHistoryStorage(folder);
  const history = new ChatHistory(w.chats, storage, environment, nullLogger);
  await history.start();
  const calm = w.chats.create('Other');
  assert.ok(calm);
  await untilState(calm.store, ({ connection }) => connection.kind === 'ready');
  limit = seconds;
  const faulty = w.chats.create('Program');
  assert.ok(faulty);
  let said = 0;
  return {
    faulty,
    calm,
    storage,
    folder,
    seen: ({ store: { state } }) => JSON.stringify(state),
    setClock: value => (ahead = value),
    async assertWhole(typed) {
      const reply = `still here ${(said += 1)}`;
      calm.controller.send(JSON.stringify([text(reply), { respond: { stopReason: 'end_turn' } }]));
      await untilState(
        calm.store,
        state => !state.activeTurn && JSON.stringify(state.turns.at(-1)?.parts).includes(reply),
      );
      // What waited may stand in the draft again, before it.
      const kept = messagesIn(faulty.store.state).join('\n');
      for (const words of typed) assert.ok(kept.includes(words), words);
      await history.flush();
      const lost = async (chat: Chat): Promise<readonly string[]> => {
        const stored = parseHistory(await storage.read(chat.chatId).catch(() => ''));
        const known = stored ? messagesIn(stored) : [];
        return messagesIn(chat.store.state).filter(one => one !== '' && !known.includes(one));
      };
      for (const chat of [faulty, calm]) assert.deepEqual(await lost(chat), []);
    },
    async end() {
      history.dispose();
      await w.end();
      const left = () =>
        withMark(mark => marksAgent(mark, 'Program') || marksAgent(mark, 'Other'), listProcesses());
      await eventually('no process is left', () => left().length === 0);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      const stray = names.filter(name => !/^[\w-]+(\.unreadable-\d+)?\.jsonl$/.test(name));
      assert.deepEqual(stray, []);
      assert.equal(names.length, 2, 'both chats are kept');
    },
  };
}

let ids = 0;

/** What the user has typed: sent, waiting, or not sent yet. */
function messagesIn({ turns, activeTurn, queue, draft }: SessionState): readonly string[] {
  const prompts = [...turns, ...(activeTurn ? [activeTurn] : [])].map(turn => turn.prompt?.text);
  return [...prompts, ...queue.map(one => one.text), draft.text].filter(one => one !== undefined);
}
