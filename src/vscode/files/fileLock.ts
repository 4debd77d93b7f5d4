import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** A lock that is older was left by a program that ended, in milliseconds: it is held for one write. */
const STALE_MS = 10_000;
const TRY_AGAIN_MS = 20;
/** Windows refuses the name of a file that is being removed, or looked at by another program, for a moment. */
const REFUSALS = new Set(['EPERM', 'EBUSY', 'EACCES']);
const MAX_REFUSALS = 5;

/** Runs `task` while no other window does so for `file`. */
export async function whileLocked<T>(file: string, task: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  // What the lock says while it is held here.
  const token = randomUUID();
  const isHeld = await take(lock, token);
  try {
    return await task();
  } finally {
    if (isHeld) await release(lock, token).catch(() => undefined);
  }
}

/** @returns false where nothing can be written: the task finds that out */
async function take(lock: string, token: string): Promise<boolean> {
  for (let refusals = 0; ;) {
    try {
      await make(lock, token);
      return true;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (REFUSALS.has(code) && refusals < MAX_REFUSALS) refusals++;
      else if (code !== 'EEXIST') return false;
    }
    if (await isStale(lock)) await clear(lock, token);
    else await setTimeout(TRY_AGAIN_MS);
  }
}

async function make(lock: string, token: string): Promise<void> {
  const file = await open(lock, 'wx', 0o600);
  try {
    await file.writeFile(token);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A task that took too long has lost its lock to another. */
async function release(lock: string, token: string): Promise<void> {
  if ((await readFile(lock, 'utf8')) === token) await rm(lock, { force: true });
}

async function isStale(lock: string): Promise<boolean> {
  const info = await stat(lock).catch(() => undefined);
  // A clock that was set back makes it young, one that was set forward old: of one write both are harmless.
  return info !== undefined && Math.abs(Date.now() - info.mtimeMs) > STALE_MS;
}

/** Removes a stale lock. Of two that have seen it only one can move it; the other may get the new one, and gives it back. */
async function clear(lock: string, token: string): Promise<void> {
  const moved = `${lock}.${token}`;
  try {
    await rename(lock, moved);
  } catch {
    await setTimeout(TRY_AGAIN_MS);
    return;
  }
  if (!(await isStale(moved))) await link(moved, lock).catch(() => undefined);
  await rm(moved, { force: true });
}
