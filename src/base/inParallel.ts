/** Runs `task` on each item, on `atOnce` of them at the same time. @throws what the first that fails throws */
export async function inParallel<T>(
  items: Iterable<T>,
  task: (item: T) => Promise<void>,
  atOnce = 8,
): Promise<void> {
  // All workers take from one iterator.
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
