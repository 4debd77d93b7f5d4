// Real agents: `npm run test:agents [-- agent…]`.
//
// Installs pinned agents from npm into the cache and drives them, against a scripted model on loopback,
// through the installed extension in a real workbench. The last line is `N passed, N failed`.
// `--raw` drives them by themselves, without Parley; `--wire` with Parley, without a window; `--window` in windows only; `--built` takes the package that is there.
// `--install` only installs what a run needs, and may be under way while other tests run.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ensureDependencies } from './lib/dependencies.mjs';
import { clearResult, readResult } from './lib/results.mjs';

const named = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const raw = process.argv.includes('--raw');
const wire = process.argv.includes('--wire');
const window = process.argv.includes('--window');
const suite = raw ? 'agents-raw' : 'agents';

/** @param {string} line */
const log = line => console.log(line);

/** @returns {Promise<Record<string, string>>} the environment of the tests */
async function prepare() {
  /** @type {Record<string, string>} */
  const env = named.length > 0 ? { PARLEY_AGENTS: named.join(',') } : {};
  if (raw || wire) return env;
  const { ensureChromium } = await import('../test/workbench/browser.mjs');
  const { ensureWorkbench } = await import('../test/workbench/setup.mjs');
  const { packageExtension, vsixFile } = await import('./lib/package.mjs');
  await ensureWorkbench(log);
  const CHROMIUM = await ensureChromium(log);
  const built = process.argv.includes('--built') && existsSync(vsixFile());
  return { ...env, CHROMIUM, PARLEY_VSIX: built ? vsixFile() : await packageExtension(log) };
}

if (process.argv.includes('--install')) {
  await ensureDependencies(log);
  const { ensureWorkbench } = await import('../test/workbench/setup.mjs');
  const { bundleTests } = await import('./lib/bundleTests.mjs');
  await ensureWorkbench(log);
  if (named.length > 0) process.env['PARLEY_AGENTS'] = named.join(',');
  const [bundle = ''] = await bundleTests(
    ['test/realAgents/installAgents.ts'],
    'test/agents-install',
  );
  await createRequire(import.meta.url)(bundle).installAgents();
  process.exit();
}

clearResult(suite);
let succeeded = false;
try {
  await ensureDependencies(log);
  const env = await prepare();
  const { bundleTests } = await import('./lib/bundleTests.mjs');
  const { runNodeTests } = await import('./lib/nodeTest.mjs');
  const windows = named.length === 1 ? ['e2e'] : ['e2e.first', 'e2e.second'];
  const suites = raw ? ['raw'] : wire ? ['wire'] : window ? windows : ['wire', ...windows];
  const files = suites.map(name => `test/realAgents/agents.${name}.ts`);
  const bundles = await bundleTests(files, `test/${suite}`);
  // All wait for agents more than for a core.
  const args = [`--test-concurrency=${suites.length}`];
  succeeded = (await runNodeTests(suite, bundles, { args, env })) === 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
const { passed, failed, failures } = readResult(suite) ?? { passed: 0, failed: 0, failures: [] };
for (const failure of failures) console.log(`✖ ${suite}: ${failure}`);
// A suite that failed without a failed test could not run, or fell over at its end.
console.log(`\n${passed} passed, ${failed || Number(!succeeded || passed === 0)} failed`);
process.exitCode = succeeded && passed > 0 ? 0 : 1;
