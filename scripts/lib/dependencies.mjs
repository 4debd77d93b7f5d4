// Uses nothing but Node: this runs before any package is there.
import { readFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { inRoot, root } from './root.mjs';

const OLDEST_NODE = 20;

/**
 * Makes sure that the packages of package-lock.json are installed.
 * @param {(line: string) => void} log hears what takes time
 * @throws when they cannot be installed, or Node is too old; the message says what to do
 */
export async function ensureDependencies(log) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Error(
      `Parley is built with Node ${OLDEST_NODE} or newer; this is ${process.version}.`,
    );
  }
  if (areInstalled()) return;
  await withLock(inRoot('.cache/dependencies.lock'), async () => {
    if (areInstalled()) return;
    log('Installing npm packages…');
    // No package needs its install script.
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], root);
  });
}

/** True when what npm noted in node_modules is what the lock asks for. */
function areInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(
    ([place, { version, optional }]) =>
      place === '' || optional || installed[place]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(inRoot(file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
