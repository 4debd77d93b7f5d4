// Closes its stdout at once, but stays.
import { closeSync } from 'node:fs';

closeSync(1);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
setInterval(() => {}, 1e9);
