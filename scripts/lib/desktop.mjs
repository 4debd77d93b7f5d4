import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { inRoot } from './root.mjs';

/**
 * A VS Code with windows of its own.
 * @typedef {{ executable: string, cli: readonly string[], env: Record<string, string> }} Desktop `cli` is
 * its command line, to be run with `env`
 */

/** Where VS Code is usually installed, as its executable and its command-line script below one directory. */
const PLACES = [
  ['/usr/share/code', 'code', 'resources/app/out/cli.js'],
  ['/usr/share/code-insiders', 'code-insiders', 'resources/app/out/cli.js'],
  ['/opt/visual-studio-code', 'code', 'resources/app/out/cli.js'],
  ['/snap/code/current/usr/share/code', 'code', 'resources/app/out/cli.js'],
  ['/Applications/Visual Studio Code.app/Contents', 'MacOS/Electron', 'Resources/app/out/cli.js'],
  [
    path.join(os.homedir(), 'Applications/Visual Studio Code.app/Contents'),
    'MacOS/Electron',
    'Resources/app/out/cli.js',
  ],
  [
    path.join(process.env['LOCALAPPDATA'] ?? 'C:\\', 'Programs/Microsoft VS Code'),
    'Code.exe',
    'resources/app/out/cli.js',
  ],
  ['C:\\Program Files\\Microsoft VS Code', 'Code.exe', 'resources/app/out/cli.js'],
];

/**
 * The VS Code installed on this machine.
 * @returns {Desktop | undefined}
 */
export function findDesktop() {
  const places = [...PLACES, ...besideCode()];
  for (const [directory = '', program = '', cli = ''] of places) {
    const desktop = at(path.join(directory, program), path.join(directory, cli));
    if (desktop) return desktop;
  }
  return undefined;
}

/** The installation to which the `code` on the PATH belongs. */
function besideCode() {
  try {
    const finder = process.platform === 'win32' ? 'where' : 'which';
    const found = execFileSync(finder, ['code'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const script = realpathSync(found.split(/\r?\n/)[0] ?? '');
    const directory = path.dirname(path.dirname(script));
    return [
      [directory, 'code', 'resources/app/out/cli.js'],
      [directory, 'Code.exe', 'resources/app/out/cli.js'],
      [path.resolve(directory, '../..'), 'MacOS/Electron', 'Resources/app/out/cli.js'],
    ];
  } catch {
    return [];
  }
}

/**
 * Downloads VS Code (once) into .cache/vscode.
 * @param {number} timeout milliseconds without progress after which the download is given up
 * @returns {Promise<Desktop>}
 * @throws when it cannot be downloaded
 */
export async function downloadDesktop(timeout) {
  const executable = await downloadAndUnzipVSCode({
    cachePath: inRoot('.cache/vscode'),
    timeout,
  });
  const contents = path.dirname(executable);
  const cli = [
    path.join(contents, 'resources/app/out/cli.js'),
    path.join(contents, '../Resources/app/out/cli.js'),
  ].find(existsSync);
  const desktop = cli && at(executable, cli);
  if (!desktop) throw new Error(`The downloaded VS Code is not complete: ${executable}`);
  return desktop;
}

/** True where a window can be opened. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/**
 * @param {string} executable
 * @param {string} cli
 * @returns {Desktop | undefined}
 */
function at(executable, cli) {
  if (!existsSync(executable) || !existsSync(cli)) return undefined;
  return { executable, cli: [executable, cli], env: { ELECTRON_RUN_AS_NODE: '1' } };
}
