import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServer } from '../../test/workbench/server.mjs';
import { ensureWorkbench } from '../../test/workbench/setup.mjs';
import { downloadDesktop, findDesktop, hasDisplay } from './desktop.mjs';
import { run } from './npm.mjs';
import { packageExtension } from './package.mjs';
import { copySampleWorkspace, temporaryDirectory } from './sampleWorkspace.mjs';

const DOWNLOAD_TIMEOUT = 15_000;
const HINT = 'In VS Code press F1 and run “Parley: Open Chat”.';

/** Settings of the trial VS Code: the chat is Parley's, and nothing else asks for attention. */
const SETTINGS = {
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'readme',
  'workbench.secondarySideBar.defaultVisibility': 'visible',
};

/**
 * Builds, packages and shows Parley; resolves when VS Code has been closed or Ctrl+C was pressed.
 * @param {(line: string) => void} log
 */
export async function startParley(log) {
  log('Building and packaging…');
  const vsix = await packageExtension(log);
  const directory = temporaryDirectory('start');
  try {
    const workspace = copySampleWorkspace(directory);
    const desktop = await chooseDesktop(log);
    if (desktop) await showInDesktop(desktop, vsix, workspace, directory, log);
    else await serve(vsix, workspace, directory, log);
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {(line: string) => void} log */
async function chooseDesktop(log) {
  const wanted = process.env['PARLEY_VSCODE'];
  if (wanted === 'npm') return undefined;
  if (!hasDisplay() && !wanted) {
    log('There is no display here, so VS Code will be served to a browser.');
    return undefined;
  }
  const installed = wanted === 'download' ? undefined : findDesktop();
  if (installed) return installed;
  if (wanted === 'installed') throw new Error('No VS Code was found on this machine.');
  log('No VS Code was found on this machine: downloading one into .cache/vscode…');
  try {
    return await downloadDesktop(DOWNLOAD_TIMEOUT);
  } catch (error) {
    if (wanted === 'download') throw error;
    log(`It cannot be downloaded (${error instanceof Error ? error.message : error}).`);
    return undefined;
  }
}

/**
 * @param {import('./desktop.mjs').Desktop} desktop
 * @param {string} vsix
 * @param {string} workspace
 * @param {string} directory
 * @param {(line: string) => void} log
 */
async function showInDesktop(desktop, vsix, workspace, directory, log) {
  const user = path.join(directory, 'user');
  const places = [
    `--user-data-dir=${user}`,
    `--extensions-dir=${path.join(directory, 'extensions')}`,
  ];
  mkdirSync(path.join(user, 'User'), { recursive: true });
  writeFileSync(path.join(user, 'User/settings.json'), JSON.stringify(SETTINGS, undefined, 2));
  log(
    'Installing Parley into a VS Code of its own (your settings and extensions stay as they are)…',
  );
  const [program = '', ...before] = desktop.cli;
  await run(program, [...before, ...places, '--install-extension', vsix, '--force'], {
    env: { ...process.env, ...desktop.env },
  });
  log(`Opening VS Code. ${HINT}\nThis ends when its window is closed, or with Ctrl+C.`);
  const child = spawn(desktop.executable, [...places, '--new-window', workspace], {
    stdio: 'ignore',
  });
  const closed = new Promise((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  await Promise.race([closed, interrupted()]);
  child.kill();
  await closed;
}

/**
 * @param {string} vsix
 * @param {string} workspace
 * @param {string} directory
 * @param {(line: string) => void} log
 */
async function serve(vsix, workspace, directory, log) {
  await ensureWorkbench(log);
  log('Starting VS Code from npm…');
  const server = await startServer({
    root: directory,
    settings: SETTINGS,
    extensions: [vsix],
    ...(process.env['PORT'] ? { port: Number(process.env['PORT']) } : {}),
  });
  try {
    log(`\n  Open ${server.url}/?folder=${encodeURI(workspace)}\n\n${HINT}\nCtrl+C ends it.`);
    await interrupted();
  } finally {
    await server.stop();
  }
}

/** Resolves when the user (or the system) asks this program to end. */
function interrupted() {
  return new Promise(resolve => {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.once(signal, resolve);
    }
  });
}
