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
import type { HistoryStorage } from '../../session/history';

const SUFFIX = '.jsonl';
/** Ids come from Parley itself; anything else must not become a path. */
const ID = /^[\w-]{1,100}$/;

/** Chats as files of one folder, in the workspace's own storage. */
export class FileHistoryStorage implements HistoryStorage {
  private made: Promise<unknown> | undefined;

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
        .map(async chatId => ({ chatId, updatedAt: (await stat(this.file(chatId))).mtimeMs })),
    );
    return chats.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  read(chatId: string): Promise<string> {
    return readFile(this.file(chatId), 'utf8');
  }

  async append(chatId: string, text: string): Promise<void> {
    await this.make();
    await appendFile(this.file(chatId), text, { mode: 0o600 });
  }

  /** All or nothing: a crash in between leaves the old text. */
  async replace(chatId: string, text: string): Promise<void> {
    await this.make();
    const file = this.file(chatId);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  remove(chatId: string): Promise<void> {
    return rm(this.file(chatId), { force: true });
  }

  private make(): Promise<unknown> {
    return (this.made ??= mkdir(this.folder, { recursive: true }));
  }

  private file(chatId: string): string {
    if (!ID.test(chatId)) throw new Error('Not the id of a chat.');
    return path.join(this.folder, chatId + SUFFIX);
  }
}
