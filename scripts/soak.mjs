// Mixed chats with faults for a long time: `npm run soak [-- minutes]`, 30 by default. Prints what the process
// holds at rest after each round (heap, handles, open files, processes), and fails if any of it grows.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundleTests } from './lib/bundleTests.mjs';

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes > 0)) {
  console.error('Say for how many minutes: npm run soak -- 5');
  process.exit(1);
}
if ('gc' in globalThis) {
  const [bundle = ''] = await bundleTests(['test/soak/soak.ts'], 'soak');
  /** @type {{ soak(minutes: number, print: (line: string) => void): Promise<boolean> }} */
  const { soak } = createRequire(import.meta.url)(bundle);
  process.exit((await soak(minutes, console.log)) ? 0 : 1);
}
// Only what is left when the garbage is collected says whether anything grows.
const self = fileURLToPath(import.meta.url);
const child = spawn(process.execPath, ['--expose-gc', self, String(minutes)], { stdio: 'inherit' });
child.once('exit', code => (process.exitCode = code ?? 1));
