import { setImmediate } from 'node:timers';

/**
 * The longest that one turn of the event loop takes while `run` runs: milliseconds of the clock or of this
 * process's processor time, whichever is less. So neither what other programs take counts, nor a wait.
 */
export async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let [clock, cpu] = [performance.now(), cpuTime()];
  const look = (): void => {
    const [nowClock, nowCpu] = [performance.now(), cpuTime()];
    longest = Math.max(longest, Math.min(nowClock - clock, nowCpu - cpu));
    [clock, cpu] = [nowClock, nowCpu];
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await run();
  } finally {
    isOver = true;
  }
  look();
  return longest;
}

/**
 * Milliseconds of the clock or of this process's processor time, whichever is less: on a busy machine the clock says
 * more, and what the engine does beside the main thread is more too.
 */
export function timed(run: () => void): number {
  const [clock, cpu] = [performance.now(), cpuTime()];
  run();
  return Math.min(performance.now() - clock, cpuTime() - cpu);
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
