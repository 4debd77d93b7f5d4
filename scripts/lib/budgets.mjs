/** Sizes in bytes of minified bundles, and what must never be in them. ARCHITECTURE.md gives the reasons. */
const KB = 1024;
const BUDGETS = [
  {
    bundle: 'extension',
    file: 'dist/extension.js',
    limit: 250 * KB,
    forbidden: ['@agentclientprotocol/sdk', 'zod'],
  },
  {
    bundle: 'webview',
    file: 'dist/webview.js',
    limit: 350 * KB,
    later: 180 * KB,
    // Loaded with the first formula.
    alone: { package: 'katex', limit: 300 * KB },
    forbidden: ['zod'],
  },
  {
    bundle: 'pages',
    file: 'dist/pages.js',
    limit: 60 * KB,
    forbidden: ['zod', '@vscode/webview-ui-toolkit'],
  },
  {
    bundle: 'demoAgent',
    file: 'dist/demoAgent.js',
    limit: 100 * KB,
    forbidden: ['@agentclientprotocol/sdk', 'zod'],
  },
];

/**
 * Prints each bundle's size beside its budget.
 * @param {Record<string, import('esbuild').Metafile>} metafiles by bundle name
 * @returns {boolean} false when a budget is broken
 */
export function checkBudgets(metafiles) {
  let kept = true;
  for (const { bundle, file, limit, later: laterLimit, alone, forbidden } of BUDGETS) {
    const output = metafiles[bundle]?.outputs[file];
    if (!output) {
      console.error(`${file}: was not built`);
      kept = false;
      continue;
    }
    const outputs = metafiles[bundle]?.outputs ?? {};
    const eager = loadedWith(file, outputs);
    const bytes = sum(eager.map(name => outputs[name]?.bytes ?? 0));
    const scripts = Object.keys(outputs).filter(name => name.endsWith('.js'));
    const own = alone ? scripts.filter(name => holds(outputs[name], alone.package)) : [];
    const apart = sum(own.map(name => outputs[name]?.bytes ?? 0));
    const later = sum(scripts.map(name => outputs[name]?.bytes ?? 0)) - bytes - apart;
    const within =
      bytes <= limit && later <= (laterLimit ?? Infinity) && apart <= (alone?.limit ?? 0);
    console.log(
      `${within ? '✔' : '✘'} ${file}: ${kilobytes(bytes)} of ${kilobytes(limit)}${within ? '' : ', over its budget'}${later > 0 ? `; loaded later: ${kilobytes(later)}${laterLimit ? ` of ${kilobytes(laterLimit)}` : ''}` : ''}${alone ? `; ${alone.package}: ${kilobytes(apart)} of ${kilobytes(alone.limit)}` : ''}`,
    );
    kept &&= within;
    if (!within) printLargest(output);
    const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const strangers = inputs.filter(input =>
      forbidden.some(name => input.includes(`node_modules/${name}/`)),
    );
    if (strangers.length > 0) {
      console.error(`✘ ${file} must not contain ${strangers.slice(0, 3).join(', ')}`);
      kept = false;
    }
  }
  return kept;
}

/**
 * The files that loading `file` loads at once.
 * @param {string} file
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @returns {string[]}
 */
function loadedWith(file, outputs) {
  const found = new Set([file]);
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && path in outputs) found.add(path);
    }
  }
  return [...found];
}

/**
 * @param {import('esbuild').Metafile['outputs'][string] | undefined} output
 * @param {string} name of a package
 */
function holds(output, name) {
  return Object.keys(output?.inputs ?? {}).some(input => input.includes(`node_modules/${name}/`));
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @param {import('esbuild').Metafile['outputs'][string]} output */
function printLargest(output) {
  const largest = Object.entries(output.inputs)
    .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
    .slice(0, 15);
  for (const [input, { bytesInOutput }] of largest) {
    console.log(`    ${kilobytes(bytesInOutput).padStart(9)}  ${input}`);
  }
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / KB).toFixed(1)} KB`;
}
