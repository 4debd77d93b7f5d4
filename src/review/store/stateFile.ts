import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

/** Runs a task while no other window does so for that file. */
export type Lock = <T>(file: string, task: () => Promise<T>) => Promise<T>;

/**
 * One text that several windows write, all or nothing. It knows what the text was when it was last read or written here,
 * and never writes over what has come since.
 */
export class StateFile {
  private version = NONE;
  /** What was last read or written here. */
  private last: string | undefined;

  /** @param file absolute; made, with its folder, when first written to */
  constructor(
    private readonly file: string,
    private readonly whileLocked: Lock,
  ) {}

  /**
   * @param take makes what is said a part of what is here. Undefined: there is none. `known` is what was before.
   * Where it is false, the file counts as not read.
   * @returns what `take` does
   * @throws what the file system says: then it is as before, and nobody knows what the file says
   */
  async read(
    take: (text: string | undefined, known: string | undefined) => Promise<boolean>,
  ): Promise<boolean> {
    const { text, version } = await this.now();
    if (!(await take(text, this.last))) return false;
    this.version = version;
    this.last = text;
    return true;
  }

  private async now(): Promise<{ readonly text: string | undefined; readonly version: string }> {
    const file = await open(this.file).catch(unlessNone);
    if (!file) return { text: undefined, version: NONE };
    try {
      const version = versionOf(await file.stat());
      return { version, text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  }

  /** Whether another window has written it since. One that is gone is as it was. @throws what the file system says */
  async hasChanged(): Promise<boolean> {
    const now = await this.look();
    return now !== NONE && now !== this.version;
  }

  /**
   * @param make makes the text, once it is sure that it will be written
   * @returns false when another window has written since: nothing is written then
   */
  async write(make: () => Promise<string>): Promise<boolean> {
    await mkdir(path.dirname(this.file), { recursive: true });
    return this.whileLocked(this.file, async () => {
      if (await this.hasChanged()) return false;
      const text = await make();
      const temporary = `${this.file}.${randomUUID()}.new`;
      try {
        await writeFile(temporary, text, { mode: 0o600 });
        // Who took too long has lost the lock to another.
        if (await this.hasChanged()) return false;
        await rename(temporary, this.file);
      } finally {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
      this.version = await this.look();
      this.last = text;
      return true;
    });
  }

  private async look(): Promise<string> {
    const info = await stat(this.file).catch(unlessNone);
    return info ? versionOf(info) : NONE;
  }
}

const NONE = 'none';

function versionOf(info: { readonly ino: number; size: number; mtimeMs: number }): string {
  return `${info.ino} ${info.size} ${info.mtimeMs}`;
}

function unlessNone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
