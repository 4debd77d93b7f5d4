/** Milliseconds after which something else may run. */
const SLICE = 8;

/** Runs to the end, with pauses. @returns undefined when it was aborted */
export async function runInSlices<T>(
  work: Generator<void, T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let start = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - start < SLICE) continue;
    await new Promise(resolve => setTimeout(resolve));
    if (signal.aborted) return undefined;
    start = performance.now();
  }
}
