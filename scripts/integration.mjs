// Tests inside a real extension host: `node scripts/integration.mjs [path…]`.
//
// They run in the VS Code of this machine; without one (or without a display) in the workbench from npm.
// PARLEY_VSCODE=download takes a downloaded VS Code, PARLEY_VSCODE=npm the workbench from npm.
// `--built` takes the bundles that are in dist/ instead of building them.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from '../esbuild.mjs';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { ensureWorkbench } from '../test/workbench/setup.mjs';
import { bundleTests } from './lib/bundleTests.mjs';
import { downloadDesktop, findDesktop, hasDisplay } from './lib/desktop.mjs';
import { filesBelow, matching } from './lib/files.mjs';
import { clearResult, readResult, resultFile } from './lib/results.mjs';
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

const vscodeExecutablePath = await vscodeExecutable();
if (!process.argv.includes('--built')) await build();
const [entry = ''] = await bundleTests(['test/integration/index.ts', ...tests], 'test/integration');
clearResult('integration');
const directory = temporaryDirectory('integration');
try {
  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: root,
    extensionTestsPath: entry,
    extensionTestsEnv: { PARLEY_TEST_RESULT: resultFile('integration') },
    launchArgs: [
      copySampleWorkspace(directory),
      '--disable-extensions',
      `--user-data-dir=${path.join(directory, 'user')}`,
      `--extensions-dir=${path.join(directory, 'extensions')}`,
    ],
  });
  // A run that ends well without a result has not run the tests.
  process.exitCode = readResult('integration')?.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}
