// Everything that must hold, in order: `npm test`. Parts of it: `npm test -- unit e2e`.
// Installs what it needs by itself; the last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { ensureDependencies } from './lib/dependencies.mjs';
import { clearResult, readResult } from './lib/results.mjs';
import { root } from './lib/root.mjs';

/**
 * @typedef {{ name: string, commands: readonly (readonly string[])[], counts?: boolean }} Step
 * `counts`: a suite that writes how many of its tests passed; other steps count as one
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number, failures?: readonly string[] }} Outcome
 * `failures`: the names of failed tests, each with its reason
 */

// The native compiler, in a sixth of the time. What uses the compiler as a library needs the one before it.
const TSC = 'node_modules/typescript7/bin/tsc';

/** @type {readonly (readonly Step[])[]} What stands in one list runs beside each other. */
const STEPS = [
  [
    {
      name: 'lint',
      commands: [
        ['node_modules/oxlint/bin/oxlint'],
        ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level=warn'],
      ],
    },
    {
      name: 'types',
      commands: ['src', 'webview', 'test', 'scripts'].map(part => [TSC, '-p', part]),
    },
  ],
  [{ name: 'build', commands: [['esbuild.mjs', '--production']] }],
  [{ name: 'unit', commands: [['scripts/unit.mjs']], counts: true }],
  [{ name: 'webview', commands: [['scripts/webview.mjs']], counts: true }],
  [{ name: 'package', commands: [['scripts/package.mjs']] }],
  // Not beside each other: two windows share the cores no faster than one after the other.
  [{ name: 'integration', commands: [['scripts/integration.mjs', '--built']], counts: true }],
  [{ name: 'e2e', commands: [['scripts/e2e.mjs', '--built']], counts: true }],
];

/** @param {string} line */
const log = line => console.log(line);

/**
 * @param {readonly string[]} command a script and its arguments
 * @param {boolean} [kept] its output is given back instead of shown
 * @returns {Promise<{ succeeded: boolean, output: string }>}
 */
function runScript(command, kept = false) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', kept ? 'pipe' : 'inherit', kept ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', text => (output += text));
    }
    child.once('close', code => resolve({ succeeded: code === 0, output }));
  });
}

/** @param {string} name */
const heading = name => log(`\n━━ ${name} ${'━'.repeat(70 - name.length)}`);

/**
 * @param {Step} step
 * @param {boolean} kept its output is shown when it has ended
 * @returns {Promise<Outcome>}
 */
async function perform({ name, commands, counts }, kept) {
  if (!kept) heading(name);
  const started = Date.now();
  if (counts) clearResult(name);
  let succeeded = true;
  let text = '';
  for (const command of commands) {
    const result = await runScript(command, kept);
    succeeded = result.succeeded && succeeded;
    text += result.output;
  }
  if (kept) {
    heading(name);
    process.stdout.write(text);
  }
  const seconds = (Date.now() - started) / 1000;
  if (!counts) {
    return { name, passed: Number(succeeded), failed: Number(!succeeded), skipped: 0, seconds };
  }
  const { passed = 0, failed = 0, skipped = 0, failures } = readResult(name) ?? {};
  // A suite that failed without a failed test could not run, or fell over at its end.
  return {
    name,
    passed,
    failed: failed || Number(!succeeded || passed + skipped === 0),
    skipped,
    seconds,
    ...(failures && { failures }),
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
  for (const { name, failures = [] } of outcomes) {
    for (const failure of failures) log(`✖ ${name}: ${failure}`);
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

const wanted = process.argv.slice(2);
const names = STEPS.flat().map(({ name }) => name);
const unknown = wanted.filter(name => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${names.join(', ')}.`);
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
for (const steps of STEPS) {
  const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (chosen.length > 1)
    log(`\n${chosen.map(({ name }) => name).join(' and ')}, beside each other…`);
  outcomes.push(...(await Promise.all(chosen.map(step => perform(step, chosen.length > 1)))));
}
process.exitCode = summarise(outcomes) ? 0 : 1;
