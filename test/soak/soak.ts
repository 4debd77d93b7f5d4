/** Chats with real agents, files, git and storage, for a long time: whether anything grows. */
import { rmSync } from 'node:fs';
import * as path from 'node:path';
import { nullLogger } from '../../src/base/logger';
import { ChatFeed } from '../../src/review/checkpoints/chatFeed';
import type { AgentSupervisor } from '../../src/agents/supervisor';
import { ChatHistory } from '../../src/session/history/chatHistory';
import type { Environment } from '../../src/session/ports';
import { FileHistoryStorage } from '../../src/vscode/chats/fileHistoryStorage';
import { git, repositoryIn, temporaryFolder } from '../unit/git/support';
import { reviewed } from '../unit/review/checkpoints/support';
import { world } from '../unit/session/world';
import { figure, growthOf, HEADER, row, sample, type Sample } from './samples';
import { FAULTS, WORK, type Scene } from './scenes';

/** @returns whether everything stayed as it was */
export async function soak(minutes: number, print: (line: string) => void): Promise<boolean> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.push(end) };
  const folder = temporaryFolder();
  repositoryIn(folder, { 'changed.txt': '', 'written.txt': '' });
  const { review, rewind, tracker, storage, gitRuns } = await reviewed(
    t,
    [folder],
    temporaryFolder(),
  );
  const tracking = {
    promptReady: (chatId: string) => feed.promptReady(chatId),
    record: <T>(turn: Parameters<ChatFeed['record']>[0], file: string, write: () => Promise<T>) =>
      feed.record(turn, file, write),
  };
  const w = await world({}, { cwd: folder, tracking });
  const feed = new ChatFeed(w.chats, tracker, nullLogger);
  const history = new ChatHistory(
    w.chats,
    new FileHistoryStorage(temporaryFolder()),
    environment,
    nullLogger,
  );
  await history.start();

  async function play(scene: Scene, agent: AgentSupervisor): Promise<void> {
    const chat = w.chats.create(agent.name);
    if (!chat) throw new Error(`There is no ${agent.name}.`);
    await chat.controller.connect();
    await scene(chat, agent);
    await history.flush();
    await w.chats.delete(chat.chatId);
    w.chats.forget(chat);
    rewind.forget(chat.chatId);
  }

  /** One of each kind; the two agents at the same time. */
  async function round(): Promise<void> {
    await Promise.all(
      [
        { agent: w.agent, scenes: WORK },
        { agent: w.other, scenes: FAULTS },
      ].map(async ({ agent, scenes }) => {
        for (const [what, scene] of Object.entries(scenes)) {
          try {
            await play(scene, agent);
          } catch (error) {
            throw new Error(`${what} went wrong`, { cause: error });
          }
        }
      }),
    );
    await tracker.idle();
    await review.undo({ kind: 'all' });
    review.retainUndos(0);
    // What the test notes of it is none of what is measured.
    gitRuns.length = 0;
    git(folder, 'clean', '-fdq');
    await tracker.idle();
    await storage.flush();
    await w.other.stop();
  }

  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 60_000;
  const samples: Sample[] = [];
  let rounds = 0;
  print(HEADER);
  while (passed() < minutes) {
    await round();
    rounds += 1;
    samples.push(await sample(passed()));
    if (isToBePrinted(samples, minutes)) print(row(samples[samples.length - 1] as Sample));
  }

  history.dispose();
  feed.dispose();
  await w.end();
  for (const end of ends) await end();
  rmSync(path.join(folder), { recursive: true, force: true });

  print(`\n${rounds} rounds of ${Object.keys({ ...WORK, ...FAULTS }).length} chats`);
  const growth = growthOf(samples);
  for (const { what, before, after, isFlat } of growth) {
    print(`${isFlat ? 'flat ' : 'GROWS'} ${what.padEnd(10)} ${figure(before)} → ${figure(after)}`);
  }
  return growth.every(({ isFlat }) => isFlat);
}

/** Some thirty lines, however long it takes. */
function isToBePrinted(samples: readonly Sample[], minutes: number): boolean {
  const step = (at: number | undefined) => Math.floor(((at ?? -1) / minutes) * 30);
  return step(samples.at(-1)?.minutes) > step(samples.at(-2)?.minutes);
}

let ids = 0;
const environment: Environment = {
  now: () => Date.now(),
  newId: () => `soak${(ids += 1)}`,
  after(milliseconds, task) {
    const timer = setTimeout(task, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
