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

/**
 * What a summary says of a failed test: its message in one line, and where in the tests it came from.
 * @param {(Error & { cause?: unknown }) | undefined} error
 */
function reason(error) {
  const { message, stack = '' } =
    error?.cause instanceof Error ? error.cause : (error ?? { message: '' });
  const words = message.replace(/\s+/g, ' ').slice(0, 300);
  const lines = stack
    .split('\n')
    .filter(line => /[\\/]test[\\/]/.test(line) && !line.includes('node:'));
  return [words, ...lines.slice(0, 3).map(line => line.trim())].join(' ');
}
