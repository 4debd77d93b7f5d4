import { constants } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import * as path from 'node:path';
import { whileLocked } from '../files/fileLock';
import type { HistoryStorage } from '../../session/history/chatHistory';

const SUFFIX = '.jsonl';
/** In the names of what could not be read; no id has a dot. */
const APART = '.unreadable-';
const NONE = 'none';
/** Ids come from Parley itself; anything else must not become a path. */
const ID = /^[\w-]{1,100}$/;

/**
 * Chats as files of one folder, in the workspace's own storage. Several windows may have it open: each write is under a
 * lock, and knows whether the file is as this window left it.
 */
export class FileHistoryStorage implements HistoryStorage {
  /** What the files were when they were last read or written here. */
  private readonly versions = new Map<string, string>();

  /** @param folder absolute; made when first written to. */
  constructor(private readonly folder: string) {}

  async list(): Promise<readonly { readonly chatId: string; readonly updatedAt: number }[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = names
      .filter(name => name.endsWith(SUFFIX))
      .map(name => name.slice(0, -SUFFIX.length));
    const chats = await Promise.all(
      ids
        .filter(id => ID.test(id))
        // One that is gone meanwhile, or broken, hides no other.
        .map(chatId => this.found(chatId).catch(() => [])),
    );
    return chats.flat().sort((a, b) => b.updatedAt - a.updatedAt);
  }

  read(chatId: string): Promise<string> {
    return this.locked(chatId, async file => {
      const text = await readFile(file, 'utf8');
      this.versions.set(chatId, await versionOf(file));
      return text;
    });
  }

  /** @throws Error when there is no text yet */
  async append(chatId: string, text: string): Promise<void> {
    await this.locked(chatId, async file => {
      const isOurs = await this.isOurs(chatId, file);
      // Not made: without what was before it, what is appended says nothing.
      await appendFile(file, text, { flag: constants.O_WRONLY | constants.O_APPEND });
      // After another window's, this one still does not know all of it.
      if (isOurs) this.versions.set(chatId, await versionOf(file));
    });
  }

  /** All or nothing: a crash in between leaves the old text. */
  async replace(chatId: string, text: string, merge?: (theirs: string) => string): Promise<void> {
    // Each time: the folder may have been removed, and what failed once may work now.
    await mkdir(this.folder, { recursive: true });
    await this.locked(chatId, async file => {
      const theirs =
        merge && !(await this.isOurs(chatId, file))
          ? await readFile(file, 'utf8').catch(() => undefined)
          : undefined;
      const whole = merge && theirs !== undefined ? merge(theirs) : text;
      await writeFile(`${file}.new`, whole, { mode: 0o600 });
      await rename(`${file}.new`, file);
      // What was merged in is not in the chat yet.
      if (theirs === undefined) this.versions.set(chatId, await versionOf(file));
    });
  }

  async remove(chatId: string): Promise<void> {
    await rm(this.file(chatId), { force: true });
    this.versions.delete(chatId);
    for (const apart of await this.apart(chatId)) await rm(apart, { force: true });
  }

  keepApart(chatId: string, isCopied: boolean): Promise<string> {
    return this.locked(chatId, async file => {
      const taken = new Set(await this.apart(chatId));
      let place = file;
      for (let count = 1; place === file || taken.has(place); count++) {
        place = path.join(this.folder, `${chatId}${APART}${count}${SUFFIX}`);
      }
      if (isCopied) await copyFile(file, place, constants.COPYFILE_EXCL);
      else await rename(file, place);
      return place;
    });
  }

  async hasChanged(chatId: string): Promise<boolean> {
    return !(await this.isOurs(chatId, this.file(chatId)));
  }

  private async isOurs(chatId: string, file: string): Promise<boolean> {
    return (await versionOf(file)) === (this.versions.get(chatId) ?? NONE);
  }

  private locked<T>(chatId: string, task: (file: string) => Promise<T>): Promise<T> {
    const file = this.file(chatId);
    return whileLocked(file, () => task(file));
  }

  /** What is kept apart of a chat. */
  private async apart(chatId: string): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter(name => name.startsWith(chatId + APART))
      .map(name => path.join(this.folder, name));
  }

  private async found(chatId: string): Promise<{ chatId: string; updatedAt: number }[]> {
    return [{ chatId, updatedAt: (await stat(this.file(chatId))).mtimeMs }];
  }

  private file(chatId: string): string {
    if (!ID.test(chatId)) throw new Error('Not the id of a chat.');
    return path.join(this.folder, chatId + SUFFIX);
  }
}

async function versionOf(file: string): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  return info ? `${info.ino} ${info.size} ${info.mtimeMs}` : NONE;
}
