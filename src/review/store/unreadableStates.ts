import { readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import * as path from 'node:path';

/** How the names of what could not be read begin. */
const APART = 'review.unreadable';

/** How long a state that could not be read is kept, in milliseconds. */
const MAX_KEPT_MS = 30 * 24 * 60 * 60_000;

/** Hashes of texts, wherever a state of whatever version has them. */
const HASHES = /\b[0-9a-f]{64}\b/g;

/** States that could not be read, each kept under a name of its own: somebody, or a newer version, may still be able to. */
export class UnreadableStates {
  constructor(private readonly folder: string) {}

  /** @returns where `file` is now */
  async take(file: string): Promise<string> {
    const place = await this.freePlace();
    await rename(file, place);
    const now = new Date();
    await utimes(place, now, now).catch(() => undefined);
    return place;
  }

  /**
   * Hashes that they name. What is too old goes.
   * @throws what the file system says: then nobody knows
   */
  async hashes(): Promise<readonly string[]> {
    const named: string[] = [];
    for (const place of await this.places()) {
      const { mtimeMs } = await stat(place);
      if (Date.now() - mtimeMs > MAX_KEPT_MS) await rm(place, { recursive: true });
      else named.push(...((await readFile(place, 'utf8')).match(HASHES) ?? []));
    }
    return named;
  }

  private async places(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter(name => name.startsWith(APART)).map(name => path.join(this.folder, name));
  }

  private async freePlace(): Promise<string> {
    const taken = new Set(await this.places());
    const placeOf = (mark: string) => path.join(this.folder, `${APART}${mark}.json`);
    let place = placeOf('');
    for (let count = 2; taken.has(place); count++) place = placeOf(`-${count}`);
    return place;
  }
}
