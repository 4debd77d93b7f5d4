/** Where things are kept fails: the user is told, nothing said is lost, and it is written once it can be. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { nullLogger } from '../../../src/base/logger';
import { ChatHistory } from '../../../src/session/history/chatHistory';
import { parseHistory } from '../../../src/session/history/historyText';
import type { Environment } from '../../../src/session/ports';
import { FileHistoryStorage } from '../../../src/vscode/chats/fileHistoryStorage';
import { ran } from '../../workbench/ran';
import { repositoryIn, temporaryFolder } from '../git/support';
import { reviewed, shell } from '../review/checkpoints/support';
import { done, text } from '../session/agentSteps';
import { world } from '../session/world';

const TIMEOUT = { timeout: 300_000 };
const HOUR = 60 * 60_000;
const TEN_YEARS = 10 * 365 * 24 * HOUR;

let ids = 0;

/** A window whose chats are kept in `folder`, with a real agent. */
async function openWindow(t: TestContext, folder: string, ahead = () => 0) {
  const told: string[] = [];
  const environment: Environment = {
    now: () => Date.now() + ahead(),
    newId: () => `g${(ids += 1)}`,
    after: () => ({ dispose: () => undefined }),
  };
  const w = await world({}, { ahead });
  const history = new ChatHistory(
    w.chats,
    new FileHistoryStorage(folder),
    environment,
    nullLogger,
    {
      notSaved: error => told.push(error instanceof Error ? error.message : String(error)),
      unreadable: places => told.push(...places.map(place => path.basename(place))),
    },
  );
  await history.start();
  t.after(async () => {
    history.dispose();
    await w.end();
  });
  return {
    ...w,
    history,
    told,
    /** Sends a message, to which the agent replies with it. */
    async say(words: string): Promise<void> {
      await w.run([text(words), done]);
      await history.flush();
    },
  };
}

/** What is said in the chats that are kept, in any order. */
function saidIn(folder: string): string {
  return readdirSync(folder)
    .filter(name => /^[\w-]+\.jsonl$/.test(name))
    .map(name => JSON.stringify(parseHistory(readFileSync(path.join(folder, name), 'utf8'))))
    .join('\n');
}

function strayIn(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => !/^[\w-]+(\.unreadable-\d+)?\.jsonl$/.test(name));
}

function failing(code: string) {
  return () => Promise.reject(Object.assign(new Error(`${code}: not now`), { code }));
}

interface Trouble {
  /** @returns what ends it */
  begin(t: TestContext, folder: string): () => void;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  ...Object.fromEntries(
    ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE'].map(code => [
      `every write fails with ${code}`,
      {
        begin(t: TestContext) {
          const mocks = (['writeFile', 'appendFile', 'open', 'mkdir'] as const).map(name =>
            t.mock.method(promises, name, failing(code)),
          );
          return () => mocks.forEach(({ mock }) => mock.restore());
        },
      },
    ]),
  ),
  'the folder is gone, and a file in its place': {
    begin(_, folder) {
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, 'in the way');
      return () => rmSync(folder);
    },
  },
  'the folder is removed': {
    begin(_, folder) {
      rmSync(folder, { recursive: true, force: true });
      return () => undefined;
    },
  },
};

for (const [what, { begin }] of Object.entries(TROUBLES)) {
  test(`chats, ${what}: told once, and all is written afterwards`, TIMEOUT, async t => {
    const folder = path.join(temporaryFolder(), 'chats');
    const w = await openWindow(t, folder);
    await w.say('before');
    const end = begin(t, folder);
    await w.say('meanwhile');
    await w.say('and again');
    if (what !== 'the folder is removed') assert.equal(w.told.length, 1, w.told.join());
    end();
    await w.say('afterwards');
    const said = saidIn(folder);
    for (const words of ['before', 'meanwhile', 'and again', 'afterwards']) {
      assert.ok(said.includes(words), words);
    }
    assert.deepEqual(strayIn(folder), []);
  });
}

const BROKEN: Readonly<Record<string, (whole: string) => string | Buffer>> = {
  'is empty': () => '',
  'is cut off in the middle': whole => whole.slice(0, whole.length / 2),
  'has no end': whole => `${whole}[{"type":"turnSt`,
  'is not text': () => Buffer.from([0, 255, 254, 0, 1]),
  'is another thing': () => '{"a":1}\n',
};

for (const [what, broken] of Object.entries(BROKEN)) {
  test(`a stored chat ${what}: it is kept, and the user told`, TIMEOUT, async t => {
    const folder = path.join(temporaryFolder(), 'chats');
    const first = await openWindow(t, folder);
    await first.say('words');
    first.history.dispose();
    const [name = ''] = readdirSync(folder);
    const bytes = broken(readFileSync(path.join(folder, name), 'utf8'));
    writeFileSync(path.join(folder, name), bytes);
    const second = await openWindow(t, folder);
    assert.equal(second.told.length, 1);
    const kept = readFileSync(path.join(folder, second.told[0] ?? ''));
    assert.deepEqual(kept, Buffer.from(bytes));
    await second.say('goes on');
    assert.match(saidIn(folder), /goes on/);
    assert.deepEqual(strayIn(folder), []);
  });
}

for (const [what, jump] of Object.entries({
  'an hour forward': HOUR,
  'an hour back': -HOUR,
  'ten years forward': TEN_YEARS,
  'ten years back': -TEN_YEARS,
})) {
  test(
    `the clock jumps ${what} in a turn: the turn ends, and all is kept in order`,
    TIMEOUT,
    async t => {
      const folder = path.join(temporaryFolder(), 'chats');
      let ahead = 0;
      const w = await openWindow(t, folder, () => ahead);
      await w.say('before');
      w.send([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
      await w.until(state => state.activeTurn);
      ahead = jump;
      w.chat.controller.stop();
      await w.until(state => !state.activeTurn);
      await w.say('afterwards');
      const said = saidIn(folder);
      assert.ok(said.indexOf('before') < said.indexOf('afterwards') && said.includes('before'));
      const second = await openWindow(t, folder);
      assert.deepEqual(second.told, []);
      assert.deepEqual(
        second.chats.get(w.chat.chatId)?.store.state.turns.map(({ id }) => id),
        w.chat.store.state.turns.map(({ id }) => id),
      );
    },
  );
}

test(
  'the disk of chats and review is full: told, kept, and written once there is room',
  TIMEOUT,
  async t => {
    const disk = temporaryFolder();
    const isMounted = ran('mount', '-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk);
    // Only an administrator of Linux can have a small disk.
    if (!isMounted) return t.skip();
    t.after(() => ran('umount', '-l', disk));
    const root = temporaryFolder();
    repositoryIn(root, { 'a.txt': 'a\n' });
    const folder = path.join(disk, 'chats');
    mkdirSync(folder);
    const w = await openWindow(t, folder);
    const r = await reviewed(t, [root], path.join(disk, 'review'), { isQuiet: true });
    t.mock.method(console, 'error', () => undefined);
    const failures: string[] = [];
    r.storage.onDidFail(sentence => failures.push(sentence));
    await w.say('before');
    writeFileSync(path.join(disk, 'filler'), '');
    try {
      for (;;) writeFileSync(path.join(disk, 'filler'), Buffer.alloc(4096), { flag: 'a' });
    } catch {
      // Full.
    }
    // More than what is left of the last block.
    await w.say('meanwhile '.repeat(2_000));
    const turn = await r.start('turn');
    await shell(root, 'echo more >> a.txt');
    r.tracker.touch(path.join(root, 'a.txt'));
    await r.tracker.settled();
    r.end(turn);
    await r.storage.flush();
    assert.match(failures.join(), /^The disk is full.*Free some space/);
    assert.equal(w.told.length, 1);
    assert.equal(r.review.pending.length, 1);
    rmSync(path.join(disk, 'filler'));
    await w.say('afterwards');
    await shell(root, 'echo more >> a.txt');
    r.tracker.touch(path.join(root, 'a.txt'));
    await r.tracker.settled();
    await r.storage.flush();
    assert.match(saidIn(folder), /meanwhile/);
    assert.match(readFileSync(path.join(disk, 'review', 'review.json'), 'utf8'), /a\.txt/);
    const again = await reviewed(t, [root], path.join(disk, 'review'), { isQuiet: true });
    assert.equal(again.review.pending.length, 1);
  },
);

test(
  'a stored chat that may not be read hides no other, and is not written over',
  TIMEOUT,
  async t => {
    if (process.getuid?.() === 0) return t.skip('the administrator may read everything');
    const folder = path.join(temporaryFolder(), 'chats');
    const first = await openWindow(t, folder);
    await first.say('words');
    const [name = ''] = readdirSync(folder);
    chmodSync(path.join(folder, name), 0);
    const second = await openWindow(t, folder);
    await second.say('goes on');
    chmodSync(path.join(folder, name), 0o600);
    assert.match(saidIn(folder), /words/);
  },
);
