// Builds everything that ships: `node esbuild.mjs [--production | --watch]`.
//
//   dist/extension.js    the extension host's bundle: what activation needs
//   dist/chunks/         what the host loads later, at an `import()`
//   dist/webview.js/css  the chat panel's page (with codicon.ttf beside it)
//   dist/math.css        what formulas look like, loaded with the first one (with its fonts)
//   dist/pages.js/css    pages in editor tabs: the registry, the doctor
//   dist/demoAgent.js    the built-in demo agent, a program of its own
//
// --production minifies, leaves source maps out and fails when a bundle breaks its budget.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { checkBudgets } from './scripts/lib/budgets.mjs';
import { commonJsChunks } from './scripts/lib/commonJsChunks.mjs';
import { shortTemplates } from './scripts/lib/shortTemplates.mjs';
import { watchReporter } from './scripts/lib/watchReporter.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));

/**
 * @typedef {{ production?: boolean }} Mode
 * @typedef {Omit<esbuild.BuildOptions, 'entryPoints'> & { entryPoints: { in: string, out: string }[] }} Bundle
 */

/** @param {Mode} mode */
function common({ production = false }) {
  return /** @satisfies {esbuild.BuildOptions} */ ({
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    sourcesContent: false,
    legalComments: 'none',
    outdir: 'dist',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  });
}

/** Of each font that formulas have, the one format that every webview reads. */
const oneFontFormat = /** @satisfies {esbuild.Plugin} */ ({
  name: 'one-font-format',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]katex[\\/].*\.(?:woff|ttf)$/ }, () => ({
      contents: '',
      loader: 'empty',
    }));
  },
});

/**
 * The bundles by name.
 * @param {Mode} mode
 * @returns {Record<'extension' | 'webview' | 'pages' | 'demoAgent', Bundle>}
 */
export function bundles(mode) {
  const base = common(mode);
  return {
    extension: {
      ...base,
      entryPoints: [{ in: 'src/extension.ts', out: 'extension' }],
      chunkNames: 'chunks/[hash]',
      platform: 'node',
      target: 'node20',
      mainFields: ['module', 'main'],
      external: ['vscode'],
      plugins: [commonJsChunks({ minify: mode.production === true })],
    },
    webview: {
      ...base,
      entryPoints: [
        { in: 'webview/main.ts', out: 'webview' },
        { in: 'webview/styles/main.css', out: 'webview' },
        { in: 'webview/math/math.css', out: 'math' },
      ],
      platform: 'browser',
      format: 'esm',
      // What the first frame does not need is loaded at its `import()`.
      splitting: true,
      chunkNames: 'chunks/page-[hash]',
      target: 'es2022',
      loader: { '.ttf': 'file', '.woff2': 'file' },
      assetNames: '[name]',
      // Prism's core tells the language scripts where it is by this name.
      define: { ...base.define, global: 'globalThis' },
      plugins: [oneFontFormat, ...(mode.production ? [shortTemplates()] : [])],
    },
    pages: {
      ...base,
      entryPoints: [
        { in: 'webview/pages/main.ts', out: 'pages' },
        { in: 'webview/pages/pages.css', out: 'pages' },
      ],
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      loader: { '.ttf': 'file' },
      assetNames: '[name]',
      plugins: mode.production ? [shortTemplates()] : [],
    },
    demoAgent: {
      ...base,
      entryPoints: [{ in: 'src/demo/main.ts', out: 'demoAgent' }],
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    },
  };
}

/**
 * Builds the named bundles (all by default) into dist/.
 * @param {Mode & { only?: (keyof ReturnType<typeof bundles>)[] }} [options]
 * @returns {Promise<Record<string, esbuild.Metafile>>} the metafiles by bundle
 */
export async function build({ production = false, only } = {}) {
  const all = Object.entries(bundles({ production }));
  /** @type {Record<string, esbuild.Metafile>} */
  const metafiles = {};
  if (production && !only) rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  for (const [name, bundle] of all) {
    if (only && !only.some(wanted => wanted === name)) continue;
    const result = await esbuild.build({ ...bundle, metafile: true, logLevel: 'warning' });
    metafiles[name] = result.metafile;
  }
  return metafiles;
}

async function watch() {
  for (const [name, bundle] of Object.entries(bundles({}))) {
    const context = await esbuild.context({
      ...bundle,
      plugins: [...(bundle.plugins ?? []), watchReporter(name)],
    });
    await context.watch();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const production = process.argv.includes('--production');
  if (process.argv.includes('--watch')) {
    await watch();
  } else {
    try {
      const metafiles = await build({ production });
      if (production && !checkBudgets(metafiles)) process.exitCode = 1;
    } catch (error) {
      // esbuild has printed its own errors already.
      if (!(error instanceof Error && 'errors' in error)) console.error(String(error));
      process.exitCode = 1;
    }
  }
}
