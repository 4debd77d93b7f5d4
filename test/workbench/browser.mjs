/** Finds (or installs) a Chromium and launches it for tests. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { run } from '../../scripts/lib/npm.mjs';
import { inRoot } from '../../scripts/lib/root.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The Chromium of this machine: `CHROMIUM` in the environment, one on the PATH, one in a usual place, or
 * one that Playwright has downloaded.
 * @returns {string | undefined}
 */
export function findChromium() {
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap(directory => NAMES.map(name => path.join(directory, name)));
  return [process.env['CHROMIUM'] ?? '', ...onPath, ...PLACES, chromium.executablePath()].find(
    file => file !== '' && existsSync(file),
  );
}

/**
 * Makes sure there is a Chromium: through apt when allowed to, else as Playwright's download.
 * @param {(line: string) => void} log hears what takes time
 * @returns {Promise<string>} its executable
 * @throws when there is none and none can be installed; the message says what to do
 */
export async function ensureChromium(log) {
  const found = findChromium();
  if (found) return found;
  const ways = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') ? [viaApt] : [];
  /** @type {string[]} */
  const failures = [];
  for (const install of [...ways, viaPlaywright]) {
    try {
      await install(log);
    } catch (error) {
      failures.push(String(error instanceof Error ? error.message : error).slice(-600));
    }
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Error(
    'These tests need Chromium (or Chrome), and none was found. Install it, or set CHROMIUM to its ' +
      `executable, and try again.\n${failures.join('\n')}`,
  );
}

/** @param {(line: string) => void} log */
async function viaApt(log) {
  log('Installing Chromium with apt-get (once)…');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const packages = ['chromium', 'fonts-dejavu-core'];
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

/** @param {(line: string) => void} log */
async function viaPlaywright(log) {
  log('Downloading Chromium with Playwright (once)…');
  const cli = inRoot('node_modules/playwright-core/cli.js');
  await run(process.execPath, [cli, 'install', 'chromium'], { timeout: 300_000 });
}

/**
 * Starts a headless Chromium.
 * @param {import('playwright-core').LaunchOptions} [options]
 */
export async function launchBrowser(options = {}) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium: run `npm test`, which installs one.');
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      // Chromium's sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...options,
  });
}
