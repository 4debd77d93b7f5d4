// Everything that must hold, in order: `npm test`. Parts of it: `npm test -- unit e2e`.
// Installs what it needs by itself; the last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { ensureDependencies } from './lib/dependencies.mjs';
import { clearResult, readResult } from './lib/results.mjs';
import { root } from './lib/root.mjs';

/**
 * @typedef {{ name: string, commands: readonly (readonly string[])[], counts?: boolean }} Step `counts`:
 * a suite that writes how many of its tests passed; other steps count as one
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number }} Outcome
 */

const TSC = 'node_modules/typescript/bin/tsc';

/** @type {readonly Step[]} */
const STEPS = [
  { name: 'types', commands: ['src', 'webview', 'test', 'scripts'].map(part => [TSC, '-p', part]) },
  {
    name: 'lint',
    commands: [
      ['node_modules/eslint/bin/eslint.js', '.'],
      ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level=warn'],
    ],
  },
  { name: 'build', commands: [['esbuild.mjs', '--production']] },
  { name: 'unit', commands: [['scripts/unit.mjs']], counts: true },
  { name: 'webview', commands: [['scripts/webview.mjs']], counts: true },
  { name: 'package', commands: [['scripts/package.mjs']] },
  { name: 'integration', commands: [['scripts/integration.mjs', '--built']], counts: true },
  { name: 'e2e', commands: [['scripts/e2e.mjs', '--built']], counts: true },
];

/** @param {string} line */
const log = line => console.log(line);

/**
 * @param {readonly string[]} command a script and its arguments
 * @returns {Promise<boolean>} whether it ended well
 */
function succeeds(command) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('exit', code => resolve(code === 0));
  });
}

/**
 * @param {Step} step
 * @returns {Promise<Outcome>}
 */
async function perform({ name, commands, counts }) {
  log(`\n━━ ${name} ${'━'.repeat(70 - name.length)}`);
  const started = Date.now();
  if (counts) clearResult(name);
  let succeeded = true;
  for (const command of commands) succeeded = (await succeeds(command)) && succeeded;
  const seconds = (Date.now() - started) / 1000;
  if (!counts) {
    return { name, passed: Number(succeeded), failed: Number(!succeeded), skipped: 0, seconds };
  }
  const { passed = 0, failed = 0, skipped = 0 } = readResult(name) ?? {};
  // A suite that failed without a failed test could not run, or fell over at its end.
  return {
    name,
    passed,
    failed: failed || Number(!succeeded || passed + skipped === 0),
    skipped,
    seconds,
  };
}

/** @param {readonly Outcome[]} outcomes */
function summarise(outcomes) {
  log(`\n━━ summary ${'━'.repeat(63)}`);
  for (const { name, passed, failed, skipped, seconds } of outcomes) {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    log(
      `${failed === 0 ? '✔' : '✘'} ${name.padEnd(12)} ${counts.padEnd(36)} ${seconds.toFixed(1)} s`,
    );
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter(name => !STEPS.some(step => step.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. There are ${STEPS.map(step => step.name).join(', ')}.`,
  );
  process.exit(64);
}
try {
  await ensureDependencies(log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
/** @type {Outcome[]} */
const outcomes = [];
for (const step of STEPS) {
  if (wanted.length === 0 || wanted.includes(step.name)) outcomes.push(await perform(step));
}
process.exitCode = summarise(outcomes) ? 0 : 1;
