import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createVSIX, listFiles } from '@vscode/vsce';
import { build } from '../../esbuild.mjs';
import { checkBudgets } from './budgets.mjs';
import { thirdPartyNotices } from './notices.mjs';
import { inRoot, root } from './root.mjs';

const LIMIT = 1.5 * 1024 * 1024;

/** What must be in the package for Parley to work. */
const NEEDED = [
  'package.json',
  'package.nls.json',
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

  const files = await listFiles({ cwd: root, packageManager: 0 });
  const missing = NEEDED.filter(file => !files.includes(file));
  const unwanted = files.filter(file => UNWANTED.test(file));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
  if (unwanted.length > 0) throw new Error(`The package must not hold ${unwanted.join(', ')}.`);

  const packagePath = vsixFile();
  await createVSIX({
    cwd: root,
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
