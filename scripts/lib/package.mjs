import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX, listFiles } from '@vscode/vsce';
import { build } from '../../esbuild.mjs';
import { checkBudgets } from './budgets.mjs';
import { thirdPartyNotices } from './notices.mjs';
import { inRoot } from './root.mjs';

const LIMIT = 2.5 * 1024 * 1024;

/** Where something to pack may lie; `.vscodeignore` says what of it is packed. */
const PARTS =
  /^(package(\.nls.*)?\.json|README\.md|CHANGELOG\.md|LICENSE|\.vscodeignore|dist|l10n|media)$/;

/** What must be in the package for Parley to work. */
const NEEDED = [
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'l10n/bundle.l10n.de.json',
  'dist/extension.js',
  'dist/webview.js',
  'dist/webview.css',
  'dist/codicon.ttf',
  'dist/demoAgent.js',
  'dist/thirdPartyNotices.txt',
];

/** What must not slip in. */
const UNWANTED = /^(src|webview|test|scripts|node_modules|out)\/|\.(map|ts|mjs)$/;

/** Where the package is written. */
export function vsixFile() {
  const { name, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return inRoot(`${name}-${version}.vsix`);
}

/**
 * Builds for production and packs the extension.
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the package, absolute
 * @throws when a bundle is over its budget or the package's contents are not as they should be
 */
export async function packageExtension(log) {
  const metafiles = await build({ production: true });
  if (!checkBudgets(metafiles)) throw new Error('A bundle breaks its budget.');
  writeFileSync(inRoot('dist/thirdPartyNotices.txt'), thirdPartyNotices(metafiles));

  const cwd = copyParts();
  const files = await listFiles({ cwd, packageManager: 0 });
  const missing = NEEDED.filter(file => !files.includes(file));
  const unwanted = files.filter(file => UNWANTED.test(file));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
  if (unwanted.length > 0) throw new Error(`The package must not hold ${unwanted.join(', ')}.`);

  const packagePath = vsixFile();
  await createVSIX({
    cwd,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
    skipLicense: true,
  });
  const { size } = statSync(packagePath);
  if (size > LIMIT) throw new Error(`The package has ${size} bytes, more than ${LIMIT}.`);
  log(
    `${packagePath}: ${files.length} files, ${(size / 1024).toFixed(0)} KB of ${LIMIT / 1024} KB`,
  );
  return packagePath;
}

/**
 * vsce looks at each file below the directory that it packs, more than once; at the root those are the tens of
 * thousands in .cache.
 * @returns {string} a directory with nothing else than the parts
 */
function copyParts() {
  const directory = inRoot('out/package');
  rmSync(directory, { recursive: true, force: true });
  for (const part of readdirSync(inRoot()).filter(name => PARTS.test(name))) {
    cpSync(inRoot(part), path.join(directory, part), { recursive: true });
  }
  return directory;
}
