// The installed VSIX in a real workbench, end to end: `node scripts/e2e.mjs [path…]`.
// `--built` takes the package that is there instead of making it; `--windows=2` runs in two windows beside each other.
import { existsSync } from 'node:fs';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { ensureWorkbench, workbenchIsSupported } from '../test/workbench/setup.mjs';
import { bundleTogether } from './lib/bundleTests.mjs';
import { dealt, filesBelow, matching } from './lib/files.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';
import { packageExtension, vsixFile } from './lib/package.mjs';
import { writeResult } from './lib/results.mjs';

const OWN = /^--(built|windows=\d+)$/;
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
const wanted = flags.find(flag => flag.startsWith('--windows='))?.slice('--windows='.length);
const windows = dealt(files, Math.min(Number(wanted ?? 1), files.length));
const bundles = await Promise.all(
  windows.map((own, index) => bundleTogether(own, `${outdir}/${index}`)),
);
process.exitCode = await runNodeTests('e2e', bundles, {
  args: [`--test-concurrency=${windows.length}`, ...flags.filter(flag => !OWN.test(flag))],
  env: { CHROMIUM, PARLEY_VSIX },
});
