import { spawn } from 'node:child_process';

/**
 * Runs npm, quietly: its output is shown only when it fails.
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} what it printed
 * @throws when it fails, with the last of its output
 */
export function npm(args, cwd) {
  // The npm that started this script, if one did; else the one on the PATH.
  const program = process.env['npm_execpath'];
  const [command, ...before] = program?.endsWith('.js')
    ? [process.execPath, program]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  return run(command ?? 'npm', [...before, ...args], { cwd, shell: process.platform === 'win32' });
}

/**
 * Runs a program to its end and gives what it printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<string>}
 * @throws when it cannot be started or fails, with the last of its output
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    /** @param {Buffer} chunk */
    const keep = chunk => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const line = [command, ...args].join(' ');
      reject(new Error(`${line} failed (${signal ?? `exit ${code}`}):\n${output.slice(-3000)}`));
    });
  });
}
