// A reporter for node:test that writes the counts of a run as JSON, for the summary at the end.

/**
 * @param {AsyncIterable<import('node:test').TestEvent>} source
 * @returns {AsyncGenerator<string>}
 */
export default async function* countReporter(source) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { data } = event;
    const failed = event.type === 'test:fail';
    // A suite (or a test file) counts only when it failed by itself, not through its tests.
    const isGroup = data.details?.type === 'suite';
    const error = /** @type {{ failureType?: string } | undefined} */ (
      failed ? data.details?.error : undefined
    );
    if (isGroup && !(failed && error?.failureType !== 'subtestsFailed')) continue;
    if (error?.failureType === 'subtestsFailed') continue;
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped++;
    else if (failed) {
      counts.failed++;
      counts.failures.push(data.name);
    } else counts.passed++;
  }
  yield JSON.stringify(counts, undefined, 2);
}
