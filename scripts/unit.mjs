// Unit, golden and conformance tests: `node scripts/unit.mjs [path or part of a path…] [--flag-for-node…]`.
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { bundleTests } from './lib/bundleTests.mjs';
import { filesBelow, matching } from './lib/files.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';
import { clearResult } from './lib/results.mjs';
import { inRoot } from './lib/root.mjs';

const filters = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'));
const directories = ['test/unit', 'test/golden', 'test/conformance'];
const files = matching(filesBelow(directories, '.test.ts'), filters);
if (files.length === 0) {
  console.error(`No test matches ${filters.join(' ') || directories.join(', ')}.`);
  process.exit(1);
}

// Node runs one file less than there are cores; but many tests wait for processes that they have started.
const atOnce = `--test-concurrency=${availableParallelism() + 1}`;
// Partial runs get a folder of their own, so that two of them can run at the same time.
const name = filters.length > 0 ? `unit-${process.pid}` : 'unit';
try {
  process.exitCode = await runNodeTests(name, await bundleTests(files, `test/${name}`), {
    args: [atOnce, ...flags],
  });
} finally {
  if (filters.length > 0) {
    rmSync(inRoot('out/test', name), { recursive: true, force: true });
    clearResult(name);
  }
}
