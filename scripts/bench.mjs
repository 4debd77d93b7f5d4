// Measures what the budgets of ARCHITECTURE.md are about: `npm run bench [-- part-of-a-file-name…]`.
//
// Each test/bench/*.bench.ts exports functions named bench…, which resolve with rows {name, value, unit,
// note?}. Figures are ratios of two things measured in one run wherever a machine's speed would matter.
import { createRequire } from 'node:module';
import { build } from '../esbuild.mjs';
import { ensureChromium } from '../test/workbench/browser.mjs';
import { bundleTests } from './lib/bundleTests.mjs';
import { filesBelow, matching } from './lib/files.mjs';

/** @typedef {{ name: string, value: number, unit: string, note?: string }} Row */

const files = matching(filesBelow(['test/bench'], '.bench.ts'), process.argv.slice(2));
if (files.length === 0) {
  console.error('No bench matches.');
  process.exit(1);
}
process.env['CHROMIUM'] = await ensureChromium(console.log);
// What ships is measured: production bundles.
await build({ production: true });
const load = createRequire(import.meta.url);
for (const bundle of await bundleTests(files, 'bench')) {
  /** @type {Record<string, unknown>} */
  const benches = load(bundle);
  for (const [name, bench] of Object.entries(benches)) {
    if (!name.startsWith('bench') || typeof bench !== 'function') continue;
    print(name.slice('bench'.length), /** @type {Row[]} */ (await bench()));
  }
}

/**
 * @param {string} title
 * @param {readonly Row[]} rows
 */
function print(title, rows) {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, value, unit, note } of rows) {
    const figure = value >= 100 ? value.toFixed(0) : value.toFixed(2);
    console.log(
      `  ${name.padEnd(width)}  ${figure.padStart(8)} ${unit}${note ? `   (${note})` : ''}`,
    );
  }
}
