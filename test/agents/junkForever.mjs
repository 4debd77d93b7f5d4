// Prints text without end, as fast as it is read.
let line = 0;
process.stdout.on('error', () => process.exit(0));
function print() {
  while (process.stdout.write(`progress ${line++}\n`));
  process.stdout.once('drain', print);
}
print();
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
