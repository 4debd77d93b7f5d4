import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KeptOutput } from '../../src/terminals/keptOutput';
import { PipeOutput } from '../../src/terminals/pipeOutput';
import { ScreenOutput } from '../../src/terminals/screenOutput';
import type { Row } from './wire.bench';

const MEGABYTE = 1024 * 1024;
const LIMIT = MEGABYTE;
const CHUNK = `${'0123456789'.repeat(7)} \u001b[32mok\u001b[0m\r\n`.repeat(50);
const PARTS = 10;
const CHUNKS_PER_PART = Math.round((10 * MEGABYTE) / CHUNK.length);

/**
 * What 100 MB of output of one command cost: each chunk as much as the first ones did (1 ×), and memory for what is kept
 * (1 MiB) alone. Of a command in a pseudo-terminal it is what the extension host does while the output comes.
 */
export async function benchTerminals(): Promise<Row[]> {
  const size = { columns: 120, rows: 30 };
  const input = { write() {}, resize() {} };
  return [
    ...(await measure('on pipes', () => new PipeOutput(LIMIT))),
    ...(await measure('in a pseudo-terminal', () => new ScreenOutput(LIMIT, size, input))),
  ];
}

async function measure(where: string, make: () => KeptOutput): Promise<Row[]> {
  // Once for the compiler.
  await feed(make());
  const { times, heaps, longest } = await feed(make());
  const half = PARTS / 2;
  return [
    {
      name: `${where}: a chunk of the second 50 MB against one of the first`,
      // The best of each: whatever else the machine does hits both alike.
      value: Math.min(...times.slice(half)) / Math.min(...times.slice(0, half)),
      unit: '×',
    },
    {
      name: `${where}: heap after 100 MB against after 10 MB`,
      value: (heaps.at(-1) ?? NaN) / (heaps[0] ?? NaN),
      unit: '×',
    },
    { name: `${where}: the longest that anything else waited`, value: longest, unit: 'ms' },
  ];
}

/** Chunks as a process writes them, with a look at everything else in between. */
async function feed(output: KeptOutput) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const times: number[] = [];
  const heaps: number[] = [];
  let longest = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const start = performance.now();
    let last = start;
    for (let chunk = 0; chunk < CHUNKS_PER_PART; chunk += 1) {
      output.append(CHUNK);
      await setImmediate();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    times.push(performance.now() - start);
    collect();
    heaps.push(process.memoryUsage().heapUsed);
  }
  await output.finish();
  output.dispose();
  return { times, heaps, longest };
}
