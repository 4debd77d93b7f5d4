import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { inRoot, root } from './root.mjs';
import { clearResult, resultFile } from './results.mjs';

/** A file of tests that hangs fails, instead of holding up all that follows. */
const FILE_TIMEOUT_MS = 1_500_000;

/**
 * Runs test bundles with node:test: a readable report on stdout, the counts into out/results.
 * @param {string} suite name of the suite in the summary
 * @param {readonly string[]} bundles absolute paths
 * @param {{ args?: readonly string[], env?: Record<string, string> }} [options] arguments for Node
 * @returns {Promise<number>} the exit code
 */
export async function runNodeTests(suite, bundles, { args = [], env = {} } = {}) {
  clearResult(suite);
  mkdirSync(inRoot('out/results'), { recursive: true });
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--test',
      `--test-timeout=${FILE_TIMEOUT_MS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('./countReporter.mjs', import.meta.url).href}`,
      `--test-reporter-destination=${resultFile(suite)}`,
      ...args,
      ...bundles,
    ],
    // Tests started by a test runner of Node would report to it instead of to the terminal.
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined } },
  );
  return new Promise(resolve => {
    child.once('exit', code => resolve(code ?? 1));
  });
}
