// Tests of the chat panel's page, the real bundle in a real browser: `node scripts/webview.mjs [path…]`.
// The page is built in memory (test/webview/server.ts).
import { availableParallelism } from 'node:os';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { bundleTogether } from './lib/bundleTests.mjs';
import { dealt, filesBelow, matching } from './lib/files.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';

const filters = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'));
const files = matching(filesBelow(['test/webview'], '.test.ts'), filters);
if (files.length === 0) {
  console.error(`No test matches ${filters.join(' ') || 'test/webview'}.`);
  process.exit(1);
}
const CHROMIUM = await ensureChromium(console.log);
const outdir = filters.length > 0 ? `test/webview-${process.pid}` : 'test/webview';
// The files of one program share a browser, which keeps no more than one core busy.
const programs = dealt(files, Math.min(2, availableParallelism(), files.length));
const bundles = await Promise.all(
  programs.map((own, index) => bundleTogether(own, `${outdir}/${index}`)),
);
process.exitCode = await runNodeTests('webview', bundles, {
  args: [`--test-concurrency=${programs.length}`, ...flags],
  env: { CHROMIUM },
});
