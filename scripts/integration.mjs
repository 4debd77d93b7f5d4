// Tests inside a real extension host: `node scripts/integration.mjs [path…]`.
//
// They run in the VS Code of this machine; without one (or without a display) in the workbench from npm.
// PARLEY_VSCODE=download takes a downloaded VS Code, PARLEY_VSCODE=npm the workbench from npm.
// `--built` takes the bundles that are in dist/ instead of building them.
//
// Tests in `test/integration/multiRoot` have a window of their own, with a workspace file of several folders.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from '../esbuild.mjs';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { ensureWorkbench } from '../test/workbench/setup.mjs';
import { bundleTests } from './lib/bundleTests.mjs';
import { downloadDesktop, findDesktop, hasDisplay } from './lib/desktop.mjs';
import { filesBelow, matching } from './lib/files.mjs';
import { clearResult, readResult, resultFile, writeResult } from './lib/results.mjs';
import { inRoot, root } from './lib/root.mjs';
import { copySampleWorkspace, temporaryDirectory } from './lib/sampleWorkspace.mjs';

const filters = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const tests = matching(filesBelow(['test/integration'], '.test.ts'), filters);
if (tests.length === 0) {
  console.error(`No test matches ${filters.join(' ') || 'test/integration'}.`);
  process.exit(1);
}

/** @returns {Promise<string>} what to run as VS Code */
async function vscodeExecutable() {
  const wanted = process.env['PARLEY_VSCODE'];
  if (wanted === 'download') return (await downloadDesktop(60_000)).executable;
  const desktop = wanted === 'npm' || !hasDisplay() ? undefined : findDesktop();
  if (desktop) return desktop.executable;
  await ensureWorkbench(console.log);
  await ensureChromium(console.log);
  return inRoot('test/workbench/vscodeShim.mjs');
}

/** The folders of the workspace with several; each is below the workspace file, and empty. */
const ROOTS = ['alpha', 'beta', 'plain'];

/**
 * @typedef {{ suite: string, tests: readonly string[], place: (directory: string) => string }} Window
 * `place` makes what the window opens
 * @type {readonly Window[]}
 */
const WINDOWS = [
  {
    suite: 'integration',
    tests: tests.filter(test => !test.includes('/multiRoot/')),
    place: copySampleWorkspace,
  },
  {
    suite: 'integration-multiRoot',
    tests: tests.filter(test => test.includes('/multiRoot/')),
    place(directory) {
      for (const name of ROOTS) mkdirSync(path.join(directory, name));
      const file = path.join(directory, 'several.code-workspace');
      writeFileSync(file, JSON.stringify({ folders: ROOTS.map(name => ({ path: name })) }));
      return file;
    },
  },
];

const vscodeExecutablePath = await vscodeExecutable();
if (!process.argv.includes('--built')) await build();
clearResult('integration');
/** @type {import('./lib/results.mjs').Result} */
const sum = { passed: 0, failed: 0, skipped: 0, failures: [] };
for (const window of WINDOWS) {
  if (window.tests.length === 0) continue;
  const { passed, failed, skipped, failures } = await runWindow(window);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  sum.failures.push(...failures);
}
writeResult('integration', sum);
process.exitCode = sum.failed === 0 ? 0 : 1;

/**
 * @param {Window} window
 * @returns {Promise<import('./lib/results.mjs').Result>}
 */
async function runWindow({ suite, tests, place }) {
  const [entry = ''] = await bundleTests(['test/integration/index.ts', ...tests], `test/${suite}`);
  clearResult(suite);
  const directory = temporaryDirectory('integration');
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: entry,
      extensionTestsEnv: { PARLEY_TEST_RESULT: resultFile(suite) },
      launchArgs: [
        place(directory),
        '--disable-extensions',
        `--user-data-dir=${path.join(directory, 'user')}`,
        `--extensions-dir=${path.join(directory, 'extensions')}`,
      ],
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  // A run that ends without a result has not run the tests.
  return (
    readResult(suite) ?? { passed: 0, failed: 1, skipped: 0, failures: [`${suite}: no result`] }
  );
}
