// Tests of the chat panel's page, the real bundle in a real browser: `node scripts/webview.mjs [path…]`.
// The page is built in memory (test/webview/server.ts).
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { bundleTogether } from './lib/bundleTests.mjs';
import { filesBelow, matching } from './lib/files.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';
import { inRoot } from './lib/root.mjs';

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

/**
 * @param {readonly string[]} all
 * @param {number} hands
 * @returns {string[][]} the same files in so many parts, about as much in each
 */
function dealt(all, hands) {
  const parts = Array.from({ length: hands }, () => ({
    size: 0,
    files: /** @type {string[]} */ ([]),
  }));
  const sized = all.map(file => ({ file, size: statSync(inRoot(file)).size }));
  for (const { file, size } of sized.sort((a, b) => b.size - a.size)) {
    const least = parts.reduce((a, b) => (b.size < a.size ? b : a));
    least.files.push(file);
    least.size += size;
  }
  return parts.map(part => part.files);
}
