/** Two windows with one storage, as all that have no folder open are. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { nullLogger } from '../../../src/base/logger';
import { ChatHistory } from '../../../src/session/history/chatHistory';
import { parseHistory } from '../../../src/session/history/historyText';
import type { Environment } from '../../../src/session/ports';
import { FileHistoryStorage } from '../../../src/vscode/chats/fileHistoryStorage';
import { temporaryFolder } from '../git/support';
import { world } from './world';

let ids = 0;
const environment: Environment = {
  now: () => Date.now(),
  newId: () => `w${(ids += 1)}`,
  after: () => ({ dispose() {} }),
};

async function openWindow(folder: string, isFirst: boolean) {
  const storage = new FileHistoryStorage(folder);
  const w = await world({}, { connect: isFirst });
  const history = new ChatHistory(w.chats, storage, environment, nullLogger);
  await history.start();
  const chat = (chatId: string) => {
    const found = w.chats.get(chatId);
    assert.ok(found);
    return found;
  };
  const say = async (chatId: string, text: string) => {
    const { store } = chat(chatId);
    const turnId = environment.newId();
    const at = environment.now();
    const prompt = { id: turnId, text, attachments: [] };
    store.dispatch({ type: 'turnStarted', turnId, prompt, at });
    const end = { reason: 'end_turn' } as const;
    store.dispatch({ type: 'turnEnded', end, planPartId: `${turnId}p`, at });
    await history.flush();
  };
  const end = async () => {
    history.dispose();
    await w.end();
  };
  return { ...w, history, chat, say, end };
}

/** More than is appended before a chat is written anew. */
const LONG = 'x'.repeat(1_100_000);

for (const isLong of [false, true]) {
  test(`what two windows say in one chat ${isLong ? 'that is written anew ' : ''}is all there`, async () => {
    const folder = temporaryFolder();
    const first = await openWindow(folder, true);
    const { chatId } = first.chat(first.chats.all[0]?.chatId ?? '');
    await first.say(chatId, 'one');
    const second = await openWindow(folder, false);
    for (let round = 0; round < 4; round++) {
      // At the same time, as well.
      await Promise.all([
        first.say(chatId, `first ${round}`),
        second.say(chatId, `second ${round}`),
      ]);
      if (isLong) {
        const writer = round % 2 === 0 ? first : second;
        writer.chat(chatId).controller.typeDraft(LONG, 'v');
        await writer.history.flush();
        writer.chat(chatId).controller.typeDraft('', 'v');
      }
    }
    const said = ['one', ...[0, 1, 2, 3].flatMap(round => [`first ${round}`, `second ${round}`])];
    const stored = parseHistory(readFileSync(path.join(folder, `${chatId}.jsonl`), 'utf8'));
    assert.deepEqual(stored?.turns.map(turn => turn.prompt?.text).sort(), said.sort());

    // Each shows it when the user comes to it.
    for (const { history, chat } of [first, second]) {
      await history.flush();
      await history.refresh();
      const { turns } = chat(chatId).store.state;
      assert.deepEqual(turns.map(turn => turn.prompt?.text).sort(), said);
    }
    // What one begins, the other has as well.
    const made = second.chats.create('Program');
    assert.ok(made);
    await second.say(made.chatId, 'new');
    await first.history.refresh();
    assert.equal(first.chat(made.chatId).store.state.turns[0]?.prompt?.text, 'new');
    // Where the user puts it in one, it is in the other.
    await second.chat(made.chatId).controller.setListed('pinned');
    await second.history.flush();
    await first.history.flush();
    await first.history.refresh();
    assert.equal(first.chat(made.chatId).store.state.listed, 'pinned');
    assert.deepEqual(
      readdirSync(folder).filter(name => !name.endsWith('.jsonl')),
      [],
    );
    await second.end();
    await first.end();
  });
}
