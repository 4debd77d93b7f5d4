/** Starts and stops the workbench's server: a real VS Code Server with a real extension host. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../../scripts/lib/npm.mjs';
import { workbench } from './setup.mjs';

/**
 * @typedef {{
 *   url: string,
 *   port: number,
 *   pid: number,
 *   log: string,
 *   settingsFiles: readonly string[],
 *   writeSettings: (settings: Record<string, unknown>) => void,
 *   stop: () => Promise<void>,
 * }} WorkbenchServer `log` is the file with the server's output; `writeSettings` replaces the user's
 * settings, which takes effect at once; `stop` ends the server's whole process group.
 */

/** Quiet, and readable by tests: nothing pops up, takes the focus or closes a picker, and a terminal's text is in the DOM. */
const SETTINGS = {
  'chat.disableAIFeatures': true,
  'comments.openView': 'never',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.simpleDialog.enable': true,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'workbench.enableExperiments': false,
  // A view that a window restores late takes the focus.
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 5_000;

/**
 * Starts a server that keeps everything below `root`: settings, extensions, state.
 * @param {{
 *   root: string,
 *   port?: number,
 *   settings?: Record<string, unknown>,
 *   env?: Record<string, string>,
 *   extensions?: readonly string[],
 * }} options `extensions` are VSIX files or unpacked extensions; `settings` are the user's
 * @returns {Promise<WorkbenchServer>}
 */
export async function startServer({ root, port, settings = {}, env = {}, extensions = [] }) {
  // Settings of machine scope count only in the second file: the browser is another machine.
  const settingsFiles = ['User', 'Machine'].map(part =>
    path.join(root, 'user', part, 'settings.json'),
  );
  for (const file of settingsFiles) mkdirSync(path.dirname(file), { recursive: true });
  mkdirSync(path.join(root, 'extensions'), { recursive: true });
  /** @param {Record<string, unknown>} own */
  const writeSettings = own => {
    const text = JSON.stringify({ ...SETTINGS, ...settings, ...own }, undefined, 2);
    for (const file of settingsFiles) writeFileSync(file, text);
  };
  writeSettings({});
  for (const extension of extensions) {
    if (extension.endsWith('.vsix')) await installVsix(root, extension);
    else linkExtension(root, extension);
  }
  const actualPort = port ?? (await freePort());
  const log = path.join(root, 'server.log');
  const output = openSync(log, 'a');
  const child = spawn(
    workbench.node,
    [
      workbench.server,
      ...placeArguments(root),
      '--auth=none',
      `--bind-addr=127.0.0.1:${actualPort}`,
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      '--ignore-last-opened',
    ],
    // A process group of its own, so that it can be stopped with all it has started.
    { stdio: ['ignore', output, output], env: { ...serverEnvironment(), ...env }, detached: true },
  );
  closeSync(output);
  const gone = new Promise(resolve => child.once('exit', resolve));
  const { pid } = child;
  if (pid === undefined) throw new Error('The workbench could not be started.');
  const killNow = () => signal(pid, 'SIGKILL');
  process.once('exit', killNow);

  const url = `http://127.0.0.1:${actualPort}`;
  const stop = async () => {
    process.off('exit', killNow);
    signal(pid, 'SIGTERM');
    const late = await Promise.race([
      gone.then(() => false),
      delay(STOP_TIMEOUT, true, { ref: false }),
    ]);
    if (late) signal(pid, 'SIGKILL');
    await gone;
  };
  const deadline = Date.now() + START_TIMEOUT;
  while (!(await answers(`${url}/healthz`))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || Date.now() > deadline) {
      await stop();
      const tail = readFileSync(log, 'utf8').slice(-2000);
      throw new Error(
        `The workbench ${ended ? 'ended at once' : 'did not start in time'}:\n${tail}`,
      );
    }
    await delay(50);
  }
  return { url, port: actualPort, pid, log, settingsFiles, writeSettings, stop };
}

/** @param {string} root */
function placeArguments(root) {
  return [
    `--user-data-dir=${path.join(root, 'user')}`,
    `--extensions-dir=${path.join(root, 'extensions')}`,
    `--config=${path.join(root, 'config.yaml')}`,
  ];
}

/** The environment without what a surrounding VS Code puts there for itself. */
function serverEnvironment() {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VSCODE_(?!TEST_)|CODE_SERVER_|ELECTRON_|NODE_TEST_CONTEXT|NODE_OPTIONS)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    // No marketplace: tests reach nothing outside this machine.
    EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}',
  };
}

/**
 * @param {string} root
 * @param {string} vsix
 */
async function installVsix(root, vsix) {
  const args = [
    workbench.server,
    ...placeArguments(root),
    `--install-extension=${vsix}`,
    '--force',
  ];
  await run(workbench.node, args, { env: serverEnvironment() });
}

/**
 * Makes an unpacked extension count as an installed one.
 * @param {string} root
 * @param {string} directory
 */
function linkExtension(root, directory) {
  const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
  symlinkSync(path.resolve(directory), path.join(root, 'extensions', name), 'dir');
}

/**
 * @param {number} group
 * @param {NodeJS.Signals} name
 */
function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch {
    // Nothing of the group is left.
  }
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} a port that is free now */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = /** @type {net.AddressInfo} */ (probe.address());
      probe.close(() => resolve(address.port));
    });
  });
}
