import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

/** @typedef {{ main: string, chunks: readonly string[], texts: ReadonlyMap<string, string> }} Eager absolute paths */

/**
 * esbuild splits code into chunks only for ES modules, and an extension's `main` is loaded with `require()`.
 * So the chunks are written as ES modules and each is turned into CommonJS afterwards: `import()` in the
 * source stays a border that is crossed only when needed, and what two chunks share exists once.
 *
 * What the entry shares with later chunks would be two dozen small files that activation has to find, read and
 * compile. They become one with the entry, which exports each for the chunks that come later.
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
      /** @type {esbuild.CommonOptions} */
      const options = {
        format: 'cjs',
        platform: 'node',
        target: initialOptions.target ?? 'node20',
        minify,
        legalComments: 'none',
        sourcemap: mapped ? 'inline' : false,
      };
      onEnd(async ({ outputFiles = [], metafile }) => {
        if (!metafile || outputFiles.length === 0) return;
        const { outputs } = metafile;
        const texts = new Map(outputFiles.map(file => [file.path, file.text]));
        const absolute = (/** @type {string} */ name) => path.resolve(root, name);
        const [main = '', ...shared] = loadedWithEntry(outputs);
        const eager = { main: absolute(main), chunks: shared.map(absolute), texts };
        write(eager.main, await merged(eager, options));
        for (const [file, text] of texts) {
          if (file === eager.main || eager.chunks.includes(file)) continue;
          const { code } = await esbuild.transform(text, { ...options, sourcefile: file });
          write(file, fromEntry(code, file, eager));
        }
        for (const name of shared) moveInto(outputs, name, main);

        /**
         * @param {string} file
         * @param {string} code
         */
        function write(file, code) {
          mkdirSync(path.dirname(file), { recursive: true });
          writeFileSync(file, code);
          const output = outputs[path.relative(root, file).split(path.sep).join('/')];
          if (output) output.bytes = Buffer.byteLength(code);
        }
      });
    },
  };
}

/**
 * The entry, and all that it imports at once.
 * @param {esbuild.Metafile['outputs']} outputs
 * @returns {string[]} names of outputs, the entry first
 */
function loadedWithEntry(outputs) {
  const imported = new Set(
    Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
  );
  const entry = Object.keys(outputs).find(name => outputs[name]?.entryPoint && !imported.has(name));
  if (entry === undefined) throw new Error('The bundle has no entry.');
  const found = new Set([entry]);
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && path in outputs) found.add(path);
    }
  }
  for (const name of found) {
    const source = outputs[name]?.entryPoint;
    if (name !== entry && source) {
      throw new Error(`${source} loads with the entry, so an import() of it puts nothing off.`);
    }
  }
  return [...found];
}

/**
 * The entry with the chunks that load with it, each of which it exports by the name of `exportOf`.
 * @param {Eager} eager
 * @param {esbuild.CommonOptions} options
 * @returns {Promise<string>}
 */
async function merged({ main, chunks, texts }, options) {
  const folder = path.dirname(main);
  const { outputFiles } = await esbuild.build({
    ...options,
    bundle: true,
    write: false,
    outfile: main,
    stdin: {
      contents: [
        `export * from ${JSON.stringify(main)};`,
        ...chunks.map((file, i) => `export * as ${exportOf(i)} from ${JSON.stringify(file)};`),
      ].join('\n'),
      resolveDir: folder,
      sourcefile: 'merged.js',
    },
    plugins: [
      {
        name: 'merged',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path: wanted, importer }) => {
            const file = path.resolve(path.dirname(importer), wanted);
            if (file === main || chunks.includes(file)) return { path: file };
            if (!texts.has(file)) return { path: wanted, external: true };
            const later = path.relative(folder, file).split(path.sep).join('/');
            return { path: `./${later}`, external: true };
          });
          onLoad({ filter: /.*/ }, ({ path: file }) => ({ contents: texts.get(file) ?? '' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * @param {string} code a chunk that is loaded later, as CommonJS
 * @param {string} file
 * @param {Eager} eager
 * @returns {string} the same with the entry's exports in place of the chunks that have become part of it
 */
function fromEntry(code, file, { main, chunks }) {
  const requireOf = (/** @type {string} */ to) => {
    const relative = path.relative(path.dirname(file), to).split(path.sep).join('/');
    return `require(${JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)})`;
  };
  return chunks.reduce(
    (text, chunk, i) => text.replaceAll(requireOf(chunk), `${requireOf(main)}.${exportOf(i)}`),
    code,
  );
}

/** @param {number} index of a chunk that has become part of the entry */
function exportOf(index) {
  return `chunk${index}`;
}

/**
 * Tells the metafile that one output has become part of another.
 * @param {esbuild.Metafile['outputs']} outputs
 * @param {string} name
 * @param {string} into
 */
function moveInto(outputs, name, into) {
  const output = outputs[name];
  const target = outputs[into];
  if (!output || !target) return;
  for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
    const there = target.inputs[input]?.bytesInOutput ?? 0;
    target.inputs[input] = { bytesInOutput: there + bytesInOutput };
  }
  target.imports.push(...output.imports);
  delete outputs[name];
}
