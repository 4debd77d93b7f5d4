import { farewell, greet } from '../src/greeting.js';

const checks = [
  ['greets by name', greet('Ada'), 'Hello, Ada!'],
  ['ignores spaces around the name', greet('  Ada '), 'Hello, Ada!'],
  ['greets a stranger when there is no name', greet(''), 'Hello, stranger!'],
  ['says goodbye by name', farewell('Ada'), 'See you soon, Ada.'],
];

let failed = 0;
for (const [title, actual, expected] of checks) {
  const ok = actual === expected;
  if (!ok) failed += 1;
  console.log(ok ? `\u001b[32m✓\u001b[0m ${title}` : `\u001b[31m✗\u001b[0m ${title}`);
  if (!ok) console.log(`    expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
