import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

/**
 * esbuild splits code into chunks only for ES modules, and an extension's `main` is loaded with `require()`.
 * So the chunks are written as ES modules and each is turned into CommonJS afterwards: `import()` in the
 * source stays a border that is crossed only when needed, and what two chunks share exists once.
 *
 * @param {{ minify: boolean }} options
 * @returns {esbuild.Plugin}
 */
export function commonJsChunks({ minify }) {
  return {
    name: 'commonJsChunks',
    setup({ initialOptions, onEnd }) {
      const root = initialOptions.absWorkingDir ?? process.cwd();
      Object.assign(initialOptions, { format: 'esm', splitting: true, write: false });
      // Composed with the second step's own only when it is part of the text.
      const mapped = Boolean(initialOptions.sourcemap);
      if (mapped) initialOptions.sourcemap = 'inline';
      onEnd(async ({ outputFiles = [], metafile }) => {
        for (const file of outputFiles) {
          const { code } = await esbuild.transform(file.text, {
            format: 'cjs',
            platform: 'node',
            target: initialOptions.target ?? 'node20',
            minify,
            legalComments: 'none',
            sourcemap: mapped ? 'inline' : false,
            sourcefile: file.path,
          });
          mkdirSync(path.dirname(file.path), { recursive: true });
          writeFileSync(file.path, code);
          const name = path.relative(root, file.path).split(path.sep).join('/');
          const output = metafile?.outputs[name];
          if (output) output.bytes = Buffer.byteLength(code);
        }
      });
    },
  };
}
