// Everything that must hold, in order: `npm test`. Parts of it: `npm test -- unit e2e`.
// Installs what it needs by itself; the last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { ensureDependencies } from './lib/dependencies.mjs';
import { clearResult, readResult } from './lib/results.mjs';
import { root } from './lib/root.mjs';

/**
 * @typedef {{ name: string, commands: readonly (readonly string[])[], counts?: boolean, beside?: boolean }} Step
 * `counts`: a suite that writes how many of its tests passed; other steps count as one. `beside`: its commands
 * depend on nothing and use one core each: those of all such steps run at the same time
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number, failures?: readonly string[] }} Outcome
 * `failures`: the names of failed tests, each with its reason
 */

const TSC = 'node_modules/typescript/bin/tsc';

/** @type {readonly Step[]} */
const STEPS = [
  {
    name: 'lint',
    // The longest first: what is short fills the gap at the end.
    commands: [
      ['node_modules/eslint/bin/eslint.js', '.'],
      ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level=warn'],
    ],
    beside: true,
  },
  {
    name: 'types',
    commands: ['src', 'webview', 'test', 'scripts'].map(part => [TSC, '-p', part]),
    beside: true,
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
 * @returns {Promise<Outcome>}
 */
async function perform({ name, commands, counts }) {
  heading(name);
  const started = Date.now();
  if (counts) clearResult(name);
  let succeeded = true;
  for (const command of commands) succeeded = (await runScript(command)).succeeded && succeeded;
  const seconds = (Date.now() - started) / 1000;
  if (!counts) return checked(name, succeeded, seconds);
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

/**
 * All commands of `steps`, as many at a time as there are cores; afterwards each step's output in one piece.
 * @param {readonly Step[]} steps
 * @returns {Promise<Outcome[]>}
 */
async function performBeside(steps) {
  if (steps.length > 0) log(`${steps.map(({ name }) => name).join(' and ')}, beside each other…`);
  const started = Date.now();
  const waiting = steps.flatMap(({ name, commands }) =>
    commands.map(command => ({ name, command })),
  );
  /** @type {{ name: string, succeeded: boolean, output: string, seconds: number }[]} */
  const ended = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await runScript(next.command, true);
      ended.push({ name: next.name, ...result, seconds: (Date.now() - started) / 1000 });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return steps.map(({ name }) => {
    heading(name);
    const own = ended.filter(result => result.name === name);
    for (const { output } of own) process.stdout.write(output);
    const succeeded = own.every(result => result.succeeded);
    return checked(name, succeeded, Math.max(...own.map(({ seconds }) => seconds)));
  });
}

/**
 * @param {string} name
 * @param {boolean} succeeded
 * @param {number} seconds
 * @returns {Outcome}
 */
function checked(name, succeeded, seconds) {
  return { name, passed: Number(succeeded), failed: Number(!succeeded), skipped: 0, seconds };
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
const chosen = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const outcomes = await performBeside(chosen.filter(({ beside }) => beside));
for (const step of chosen) {
  if (!step.beside) outcomes.push(await perform(step));
}
process.exitCode = summarise(outcomes) ? 0 : 1;
