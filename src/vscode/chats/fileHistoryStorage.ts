import { constants } from 'node:fs';
import {
  appendFile,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import * as path from 'node:path';
import type { HistoryStorage } from '../../session/history/chatHistory';

const SUFFIX = '.jsonl';
/** Ids come from Parley itself; anything else must not become a path. */
const ID = /^[\w-]{1,100}$/;

/** Chats as files of one folder, in the workspace's own storage. */
export class FileHistoryStorage implements HistoryStorage {
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
    return readFile(this.file(chatId), 'utf8');
  }

  /** @throws Error when there is no text yet */
  async append(chatId: string, text: string): Promise<void> {
    // Not made: without what was before it, what is appended says nothing.
    await appendFile(this.file(chatId), text, { flag: constants.O_WRONLY | constants.O_APPEND });
  }

  /** All or nothing: a crash in between leaves the old text. */
  async replace(chatId: string, text: string): Promise<void> {
    // Each time: the folder may have been removed, and what failed once may work now.
    await mkdir(this.folder, { recursive: true });
    const file = this.file(chatId);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  remove(chatId: string): Promise<void> {
    return rm(this.file(chatId), { force: true });
  }

  private async found(chatId: string): Promise<{ chatId: string; updatedAt: number }[]> {
    return [{ chatId, updatedAt: (await stat(this.file(chatId))).mtimeMs }];
  }

  private file(chatId: string): string {
    if (!ID.test(chatId)) throw new Error('Not the id of a chat.');
    return path.join(this.folder, chatId + SUFFIX);
  }
}
