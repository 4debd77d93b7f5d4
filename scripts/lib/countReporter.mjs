// A reporter for node:test that writes the counts of a run as JSON, for the summary at the end.

/**
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 * @returns {AsyncGenerator<string>}
 */
export default async function* countReporter(source) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { data } = event;
    const failed = event.type === 'test:fail';
    const details =
      /** @type {{ type?: string, error?: Error & { failureType?: string, cause?: unknown } }} */ (
        data.details
      );
    const throughItsTests = failed && details.error?.failureType === 'subtestsFailed';
    // A suite counts only when it failed by itself (in a hook, say), not through its tests.
    if (throughItsTests || (details.type === 'suite' && !failed)) continue;
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped++;
    else if (failed) {
      counts.failed++;
      counts.failures.push(`${data.name}: ${reason(details.error)}`);
    } else counts.passed++;
  }
  yield JSON.stringify(counts, undefined, 2);
}

/** @param {(Error & { cause?: unknown }) | undefined} error */
function reason(error) {
  const { message } = error?.cause instanceof Error ? error.cause : (error ?? { message: '' });
  return message.split('\n', 1)[0];
}
