import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { snapshotLine } from '../../../src/session/history/historyText';
import { initialSession } from '../../../src/session/state/initialSession';
import type { SessionState } from '../../../src/session/state/state';
import { FileHistoryStorage } from '../../../src/vscode/chats/fileHistoryStorage';
import { OtherFolders } from '../../../src/vscode/chats/otherFolders';

const NEVER = new AbortController().signal;

function temporary(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'parley-folders-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A window of a folder of that name, with what is said in its chats. */
async function window(root: string, name: string, said: Readonly<Record<string, string>> = {}) {
  const chats = join(root, name);
  const storage = new FileHistoryStorage(chats);
  for (const [chatId, text] of Object.entries(said)) {
    await storage.replace(chatId, snapshotLine(chat(chatId, text)));
  }
  const folders = new OtherFolders(join(root, 'shared'), {
    uri: `file:///w/${name}`,
    name,
    chats,
  });
  await folders.register();
  return { folders, storage };
}

function chat(chatId: string, text: string, change: Partial<SessionState> = {}): SessionState {
  const prompt = { id: 'p', text, attachments: [] };
  return {
    ...initialSession({ chatId, agentName: 'Agent', cwd: '/w', at: 0 }),
    turns: [{ id: 't', prompt, parts: [], startedAt: 10, endedAt: 20 }],
    ...change,
  };
}

const names = async (folders: OtherFolders, text = '') =>
  (await folders.chats(text, NEVER)).map(({ name, chats }) => [
    name,
    chats.map(({ title }) => title),
  ]);

test('each window sees the chats of the others, and what was said in them', async t => {
  const root = temporary(t);
  const here = await window(root, 'here', { a: 'the needle here' });
  const there = await window(root, 'there', { b: 'the needle there', c: 'only hay' });
  assert.deepEqual(await names(there.folders), [['here', ['the needle here']]]);
  assert.deepEqual(await names(here.folders, 'NEEDLE'), [['there', ['the needle there']]]);
  const [found] = await here.folders.chats('hay', NEVER);
  assert.deepEqual(found?.chats, [
    { chatId: 'c', title: 'only hay', agentName: 'Agent', updatedAt: 20, preview: 'only hay' },
  ]);
  assert.deepEqual(await names(here.folders, 'nowhere'), []);
});

test('what is archived, empty or unreadable there is not listed, and what is gone is forgotten', async t => {
  const root = temporary(t);
  const here = await window(root, 'here');
  const there = await window(root, 'there', { a: 'kept' });
  const states = [chat('b', 'away', { listed: 'archived' }), chat('c', '', { turns: [] })];
  for (const state of states) await there.storage.replace(state.chatId, snapshotLine(state));
  await there.storage.replace('d', 'no history');
  writeFileSync(join(root, 'shared', 'x.json'), '{"uri":');
  assert.deepEqual(await names(here.folders), [['there', ['kept']]]);
  rmSync(join(root, 'there'), { recursive: true });
  assert.deepEqual(await names(here.folders), []);
  assert.equal(readdirSync(join(root, 'shared')).length, 2, 'its own word, and what is no word');
});

test('a chat is shown by the window it belongs to, once', async t => {
  const root = temporary(t);
  const here = await window(root, 'here');
  const there = await window(root, 'there', { a: 'far' });
  const [folder] = await here.folders.chats('', NEVER);
  assert.ok(folder);
  assert.equal(await here.folders.uriOf(folder.folderId), 'file:///w/there');
  assert.equal(await here.folders.uriOf('unknown'), undefined);
  await here.folders.ask(folder.folderId, 'a');
  assert.equal(await here.folders.takeAsked(), undefined);
  assert.equal(await there.folders.takeAsked(), 'a');
  assert.equal(await there.folders.takeAsked(), undefined);
});

test('nothing is read for who does not wait any more', async t => {
  const root = temporary(t);
  const here = await window(root, 'here');
  await window(root, 'there', { a: 'far' });
  assert.deepEqual(await here.folders.chats('', AbortSignal.abort()), []);
});
