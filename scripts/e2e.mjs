// The installed VSIX in a real workbench, end to end: `node scripts/e2e.mjs [path…]`.
// `--built` takes the package that is there instead of making it.
import { existsSync } from 'node:fs';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { ensureWorkbench, workbenchIsSupported } from '../test/workbench/setup.mjs';
import { bundleTogether } from './lib/bundleTests.mjs';
import { filesBelow, matching } from './lib/files.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';
import { packageExtension, vsixFile } from './lib/package.mjs';
import { writeResult } from './lib/results.mjs';

const filters = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'));
const files = matching(filesBelow(['test/e2e'], '.test.ts'), filters);
if (files.length === 0) {
  console.error(`No test matches ${filters.join(' ') || 'test/e2e'}.`);
  process.exit(1);
}
if (!workbenchIsSupported()) {
  console.log(
    'The end-to-end tests drive the workbench from npm, which runs on Linux x64 only: skipped.',
  );
  writeResult('e2e', { passed: 0, failed: 0, skipped: 1, failures: [] });
  process.exit(0);
}
await ensureWorkbench(console.log);
const CHROMIUM = await ensureChromium(console.log);
const built = flags.includes('--built') && existsSync(vsixFile());
const PARLEY_VSIX = built ? vsixFile() : await packageExtension(console.log);
const outdir = filters.length > 0 ? `test/e2e-${process.pid}` : 'test/e2e';
process.exitCode = await runNodeTests('e2e', [await bundleTogether(files, outdir)], {
  args: flags.filter(flag => flag !== '--built'),
  env: { CHROMIUM, PARLEY_VSIX },
});
