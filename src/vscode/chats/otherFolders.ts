import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { parseHistory } from '../../session/history/historyText';
import { searchChats } from '../../session/history/searchChats';
import { firstPrompt } from '../../session/state/selectors';
import type { FolderChats } from '../../shared/queries';
import type { SessionState } from '../../session/state/state';
import { FileHistoryStorage } from './fileHistoryStorage';

/** A folder, or workspace, and where the chats of its windows are kept. */
export interface FolderRecord {
  readonly uri: string;
  readonly name: string;
  /** Absolute. */
  readonly chats: string;
}

/** Folders that are read, and chats of each: the ones used last. */
const MAX_FOLDERS = 20;
const MAX_CHATS = 20;
const MAX_TITLE = 120;
const SUFFIX = '.json';
const ASKED = '.open';

/** Chats of other folders. Each window registers where its own are, in a place that all windows share. */
export class OtherFolders {
  constructor(
    /** Absolute. */
    private readonly place: string,
    private readonly own: FolderRecord | undefined,
  ) {}

  /** Registers this window's folder. Never rejects: without it, its chats are not seen elsewhere. */
  async register(): Promise<void> {
    const { own, place } = this;
    if (!own) return;
    const file = path.join(place, idOf(own) + SUFFIX);
    const text = JSON.stringify(own);
    try {
      if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
      await mkdir(place, { recursive: true });
      await writeFile(file, text, { mode: 0o600 });
    } catch {
      // Then its chats are not seen elsewhere.
    }
  }

  async uriOf(id: string): Promise<string | undefined> {
    return (await this.records()).find(record => idOf(record) === id)?.uri;
  }

  /** Has the chat shown when the folder's window comes up. Never rejects. */
  async ask(id: string, chatId: string): Promise<void> {
    await writeFile(path.join(this.place, id + ASKED), chatId, { mode: 0o600 }).catch(() => {});
  }

  /** The chat that another window wants to be shown here; once. */
  async takeAsked(): Promise<string | undefined> {
    if (!this.own) return undefined;
    const file = path.join(this.place, idOf(this.own) + ASKED);
    const chatId = await readFile(file, 'utf8').catch(() => undefined);
    if (chatId !== undefined) await rm(file, { force: true });
    return chatId;
  }

  /** The chats in which `text` stands, all if it is empty; the folder used last first. One chat is read at a time. */
  async chats(text: string, signal: AbortSignal): Promise<readonly FolderChats[]> {
    const found: FolderChats[] = [];
    for (const { record, stored } of await this.stored()) {
      const chats: FolderChats['chats'][number][] = [];
      for (const { chatId, updatedAt } of stored.slice(0, MAX_CHATS)) {
        if (signal.aborted) return [];
        const file = path.join(record.chats, `${chatId}.jsonl`);
        const state = parseHistory(await readFile(file, 'utf8').catch(() => ''));
        if (!state || state.listed === 'archived' || state.turns.length === 0) continue;
        const [match] = text === '' ? [{ chatId }] : await searched(state, text, signal);
        if (!match) continue;
        const title = state.title ?? firstPrompt(state)?.text ?? state.agent.name;
        chats.push({
          ...match,
          title: title.slice(0, MAX_TITLE),
          agentName: state.agent.name,
          updatedAt: state.turns.at(-1)?.endedAt ?? updatedAt,
        });
      }
      const { name, uri } = record;
      if (chats.length > 0) found.push({ folderId: idOf(record), name, title: uri, chats });
    }
    return found;
  }

  private async stored() {
    const folders = [];
    for (const record of await this.records()) {
      const stored = await new FileHistoryStorage(record.chats).list().catch(() => []);
      const [newest] = stored;
      if (newest) folders.push({ record, stored, at: newest.updatedAt });
      else await rm(path.join(this.place, idOf(record) + SUFFIX), { force: true });
    }
    return folders.sort((a, b) => b.at - a.at).slice(0, MAX_FOLDERS);
  }

  private async records(): Promise<readonly FolderRecord[]> {
    const names = await readdir(this.place).catch(() => []);
    const records: FolderRecord[] = [];
    for (const name of names.filter(each => each.endsWith(SUFFIX))) {
      const record = recordIn(await readFile(path.join(this.place, name), 'utf8').catch(() => ''));
      if (record && idOf(record) + SUFFIX === name && record.uri !== this.own?.uri) {
        records.push(record);
      }
    }
    return records;
  }
}

function searched(state: SessionState, text: string, signal: AbortSignal) {
  const head = ({ title, agent }: SessionState) => `${title ?? ''} ${agent.name}`;
  return searchChats([state], text, head, () => new Promise(setImmediate), signal);
}

function idOf({ uri }: FolderRecord): string {
  return createHash('sha256').update(uri).digest('hex').slice(0, 32);
}

function recordIn(text: string): FolderRecord | undefined {
  try {
    const { uri, name, chats } = JSON.parse(text) as Partial<FolderRecord>;
    const isWhole =
      typeof uri === 'string' && typeof name === 'string' && typeof chats === 'string';
    return isWhole && path.isAbsolute(chats) ? { uri, name, chats } : undefined;
  } catch {
    return undefined;
  }
}
