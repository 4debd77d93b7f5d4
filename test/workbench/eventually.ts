import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `check` gives something truthy, for states of the world that announce no change: files,
 * processes. For the page use its locators' own waiting.
 * @param what names the state in the error message
 * @param timeout milliseconds
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  timeout = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`);
    await delay(25);
  }
}
