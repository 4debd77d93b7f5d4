/** The sessions that the CLI keeps: a file for each, a record a line, in a folder for each folder that was worked in. */
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type Json } from '../../../acp/schema/guards/primitives';
import { getVariable, type Env } from '../../process/environmentVariables';
import { objects, text } from '../inProcess/json';

export interface StoredSession {
  readonly id: string;
  readonly cwd: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** So much of either end of a file is read for a list, in bytes. */
const END = 64 * 1024;

/** Letters of a title that are listed. */
const MAX_TITLE = 200;

/** The CLI cuts names of folders that would be longer, and adds a hash. */
const MAX_FOLDER = 200;

export class Transcripts {
  private readonly root: string;

  /** @param env of the CLI */
  constructor(env: Env, home: string) {
    const config = getVariable(env, 'CLAUDE_CONFIG_DIR');
    this.root = join(config ?? join(getVariable(env, 'HOME') ?? home, '.claude'), 'projects');
  }

  /** Those of `cwd`, or all; the newest first. */
  async list(cwd: string | undefined): Promise<readonly StoredSession[]> {
    const files = (await this.files()).filter(
      ({ folder }) => cwd === undefined || isFolderOf(folder, cwd),
    );
    const described = await Promise.all(files.map(({ id, path }) => describe(id, path)));
    return described
      .filter(session => session !== undefined)
      .filter(session => cwd === undefined || session.cwd === cwd)
      .sort((a, b) => b.changedAt - a.changedAt);
  }

  async has(id: string): Promise<boolean> {
    return (await this.pathOf(id)) !== undefined;
  }

  /** The records of the conversation as it stands, the oldest first. */
  async read(id: string): Promise<readonly Json[]> {
    const path = await this.pathOf(id);
    return path === undefined ? [] : conversation(recordsIn(await readFile(path, 'utf8')));
  }

  async delete(id: string): Promise<void> {
    const path = await this.pathOf(id);
    if (path === undefined) return;
    await rm(path, { force: true });
    await rm(path.replace(/\.jsonl$/, ''), { recursive: true, force: true });
  }

  private async pathOf(id: string): Promise<string | undefined> {
    return (await this.files()).find(file => file.id === id)?.path;
  }

  private async files() {
    const folders = await namesIn(this.root);
    const lists = await Promise.all(
      folders.map(async folder => {
        const names = await namesIn(join(this.root, folder));
        return names.flatMap(name => {
          const id = /^([\w-]+)\.jsonl$/.exec(name)?.[1];
          return id === undefined ? [] : [{ id, folder, path: join(this.root, folder, name) }];
        });
      }),
    );
    return lists.flat();
  }
}

/** What the user sent in a record; undefined where it is something else, or of the CLI's own. */
export function typedText(record: Json): string | undefined {
  if (record['type'] !== 'user' || record['isMeta'] === true) return undefined;
  if (record['isCompactSummary'] === true || record['isSidechain'] === true) return undefined;
  const content = isObject(record['message']) ? record['message']['content'] : undefined;
  const said =
    typeof content === 'string'
      ? content
      : objects(content)
          .flatMap(block => (block['type'] === 'text' ? [text(block['text']) ?? ''] : []))
          .filter(words => !words.startsWith('\n<context ref='))
          .join('');
  const shown = commandIn(said) ?? said.replace(MARKS, '').replace(INTERRUPTED, '').trim();
  return shown === '' ? undefined : shown;
}

/** What the CLI puts around what commands say. */
const MARKS =
  /<(command-message|local-command-stdout|local-command-stderr|local-command-caveat|system-reminder)>[\s\S]*?<\/\1>/g;

/** What it notes where the user has stopped it. */
const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]/;

function commandIn(said: string): string | undefined {
  const name = /<command-name>([^<]*)<\/command-name>/.exec(said)?.[1]?.trim();
  if (!name) return undefined;
  const args = /<command-args>([^<]*)<\/command-args>/.exec(said)?.[1]?.trim();
  return args ? `${name} ${args}` : name;
}

/** From the last record back to the first: what was left for another try is not of it. */
function conversation(records: readonly Json[]): readonly Json[] {
  const own = records.filter(
    ({ type, isSidechain }) => (type === 'user' || type === 'assistant') && isSidechain !== true,
  );
  const byId = new Map(records.map(record => [text(record['uuid']), record]));
  const kept = new Set<Json>();
  let next = own.at(-1);
  while (next && !kept.has(next)) {
    kept.add(next);
    next = byId.get(text(next['parentUuid']) ?? text(next['logicalParentUuid']) ?? '');
  }
  return own.filter(record => kept.has(record));
}

function recordsIn(lines: string): readonly Json[] {
  return lines.split('\n').flatMap(line => {
    try {
      const record: unknown = JSON.parse(line);
      return isObject(record) ? [record] : [];
    } catch {
      return [];
    }
  });
}

async function describe(id: string, path: string): Promise<StoredSession | undefined> {
  try {
    const { mtimeMs, size } = await stat(path);
    const [head, tail] = await ends(path, size);
    const records = recordsIn(head);
    const last = recordsIn(tail);
    const cwd = records.map(({ cwd: folder }) => text(folder)).find(Boolean);
    const named = [...last, ...records].findLast(
      ({ customTitle, aiTitle, summary }) => text(customTitle) ?? text(aiTitle) ?? text(summary),
    );
    const { customTitle, aiTitle, summary } = named ?? {};
    const first = records.map(typedText).find(Boolean);
    const title = text(customTitle) ?? text(aiTitle) ?? text(summary) ?? first;
    if (cwd === undefined || title === undefined) return undefined;
    return { id, cwd, title: title.slice(0, MAX_TITLE), changedAt: mtimeMs };
  } catch {
    return undefined;
  }
}

async function ends(path: string, size: number): Promise<readonly [string, string]> {
  const file = await open(path);
  try {
    const read = async (at: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(END), 0, END, at);
      return buffer.toString('utf8', 0, bytesRead);
    };
    return [await read(0), size > END ? await read(size - END) : ''];
  } finally {
    await file.close();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

function isFolderOf(folder: string, cwd: string): boolean {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  return name.length > MAX_FOLDER ? folder.startsWith(name.slice(0, MAX_FOLDER)) : folder === name;
}
