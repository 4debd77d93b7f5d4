import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { inRoot, root } from './root.mjs';

/** Tools that tests call but that cannot or need not be bundled. */
const EXTERNAL = [
  'vscode',
  'esbuild',
  'mocha',
  'playwright-core',
  'prettier',
  'typescript',
  '@vscode/test-electron',
  '@vscode/vsce',
];

/**
 * Bundles each test file into `out/<outdir>`, at the same place as below the root.
 * @param {readonly string[]} files relative to the root
 * @param {string} outdir
 * @returns {Promise<string[]>} the bundles, absolute
 */
export async function bundleTests(files, outdir) {
  rmSync(inRoot('out', outdir), { recursive: true, force: true });
  await esbuild.build({
    ...options(outdir),
    entryPoints: files.map(file => ({ in: file, out: file.replace(/\.ts$/, '') })),
  });
  return files.map(file => inRoot('out', outdir, file.replace(/\.ts$/, '.cjs')));
}

/**
 * Bundles all test files into one program, so that they can share a browser or a server.
 * @param {readonly string[]} files relative to the root
 * @param {string} outdir
 * @returns {Promise<string>} the bundle, absolute
 */
export async function bundleTogether(files, outdir) {
  rmSync(inRoot('out', outdir), { recursive: true, force: true });
  await esbuild.build({
    ...options(outdir),
    stdin: {
      contents: files.map(file => `import ${JSON.stringify(`./${file}`)};`).join('\n'),
      resolveDir: root,
      sourcefile: 'all.ts',
      loader: 'ts',
    },
    entryNames: 'all',
  });
  return inRoot('out', outdir, 'all.cjs');
}

/**
 * @param {string} outdir
 * @returns {esbuild.BuildOptions & { outdir: string }}
 */
function options(outdir) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    // As the extension has it: some packages can only be bundled as modules.
    mainFields: ['module', 'main'],
    format: 'cjs',
    target: 'node20',
    outdir: inRoot('out', outdir),
    outExtension: { '.js': '.cjs' },
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
    // A `require` in ESM-only code and a dynamic `import()` both work in Node; nothing to warn about.
    logOverride: { 'empty-import-meta': 'silent' },
    external: EXTERNAL,
    plugins: [sourcePlaces],
  };
}

/**
 * Bundles lie elsewhere than their sources: gives `import.meta.dirname` and `import.meta.filename` in test
 * code the source's place, so that fixtures are found beside the test that uses them.
 * @type {esbuild.Plugin}
 */
const sourcePlaces = {
  name: 'source-places',
  setup(build) {
    build.onLoad({ filter: /[\\/](test|scripts)[\\/].*\.(ts|mjs)$/ }, args => {
      const text = readFileSync(args.path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      return {
        loader: args.path.endsWith('.ts') ? 'ts' : 'js',
        contents: text
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(args.path)))
          .replaceAll('import.meta.filename', JSON.stringify(args.path))
          .replaceAll('import.meta.url', JSON.stringify(`file://${args.path}`)),
      };
    });
  },
};
