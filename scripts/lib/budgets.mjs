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
    // Loaded with the first formula, and with the first diagram of a kind.
    alone: [
      { name: 'math', entry: 'webview/math/main.ts', limit: 300 * KB },
      { name: 'diagrams', entry: 'webview/diagrams/main.ts', limit: 3500 * KB },
    ],
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
    const apart = (alone ?? []).map(({ name, entry, limit }) => ({
      name,
      limit,
      bytes: sum(onlyBy(entry, file, outputs).map(own => outputs[own]?.bytes ?? 0)),
    }));
    const later =
      sum(scripts.map(name => outputs[name]?.bytes ?? 0)) -
      bytes -
      sum(apart.map(({ bytes }) => bytes));
    const within =
      bytes <= limit &&
      later <= (laterLimit ?? Infinity) &&
      apart.every(({ bytes, limit }) => bytes <= limit);
    console.log(
      [
        `${within ? '✔' : '✘'} ${file}: ${of(bytes, limit)}${within ? '' : ', over its budget'}`,
        ...(later > 0 ? [`loaded later: ${of(later, laterLimit)}`] : []),
        ...apart.map(({ name, bytes, limit }) => `${name}: ${of(bytes, limit)}`),
      ].join('; '),
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
 * The scripts that are loaded for `entry` alone.
 * @param {string} entry
 * @param {string} file what the page begins with
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @returns {string[]}
 */
function onlyBy(entry, file, outputs) {
  const start = Object.keys(outputs).find(name => outputs[name]?.entryPoint === entry);
  if (!start) throw new Error(`${entry} is not loaded at an import() any more.`);
  const others = new Set(reached(file, outputs, start));
  return reached(start, outputs).filter(name => !others.has(name));
}

/**
 * Everything that loading `file` may load, at once or later.
 * @param {string} file
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} [without]
 * @returns {string[]}
 */
function reached(file, outputs, without) {
  const found = new Set([file]);
  for (const name of found) {
    for (const { path } of outputs[name]?.imports ?? []) {
      if (path in outputs && path !== without) found.add(path);
    }
  }
  return [...found];
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

/**
 * @param {number} bytes
 * @param {number} [limit]
 */
function of(bytes, limit) {
  return limit === undefined ? kilobytes(bytes) : `${kilobytes(bytes)} of ${kilobytes(limit)}`;
}
