// Tests of the chat panel's page, the real bundle in a real browser: `node scripts/webview.mjs [path…]`.
// The page is built in memory (test/webview/server.ts).
import { ensureChromium } from '../test/workbench/browser.mjs';
import { bundleTogether } from './lib/bundleTests.mjs';
import { filesBelow, matching } from './lib/files.mjs';
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
// All files in one program, so that they share one browser.
process.exitCode = await runNodeTests('webview', [await bundleTogether(files, outdir)], {
  args: flags,
  env: { CHROMIUM },
});
