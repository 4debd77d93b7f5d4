import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { world } from '../unit/session/world';
import { longestBlock } from './processorTime';
import type { Row } from './wire.bench';

const FEW = 10;
const MANY = 100;
/** What a user takes for a freeze, in milliseconds. */
const FREEZE = 100;

/** A real command that an agent runs and that writes so many megabytes: what the extension host holds after it. */
export async function benchOutput(): Promise<Row[]> {
  // The first is for the compiler.
  await run(FEW);
  const [few, many] = [await run(FEW), await run(MANY)];
  const against = `${MANY} MB of output against ${FEW}`;
  return [
    {
      name: `heap after ${against}`,
      value: many.heap / few.heap,
      unit: '×',
      note: `${many.heap.toFixed(1)} of ${few.heap.toFixed(1)} MB, ${many.shown} characters shown`,
    },
    { name: `a megabyte of ${against}`, value: many.cpu / MANY / (few.cpu / FEW), unit: '×' },
    { name: `longest block, of ${FREEZE} ms`, value: many.longest / FREEZE, unit: '×' },
  ];
}

async function run(megabytes: number) {
  const w = await world();
  try {
    const script = `
      const line = 'a line of output, with \\u001b[32mgreen\\u001b[0m in it\\r\\n'.repeat(1000);
      let left = ${megabytes} * 1024 * 1024;
      const more = () => { while (left > 0) { left -= line.length; if (!process.stdout.write(line)) return; } };
      process.stdout.on('drain', more); more();`;
    const params = { command: process.execPath, args: ['-e', script] };
    const terminal = { params: { terminalId: '$LAST' } };
    const before = process.cpuUsage();
    const longest = await longestBlock(() =>
      w.run([
        { quiet: true, ask: { method: 'terminal/create', params } },
        { quiet: true, ask: { method: 'terminal/wait_for_exit', ...terminal } },
        { respond: { stopReason: 'end_turn' } },
      ]),
    );
    const { user, system } = process.cpuUsage(before);
    const [shown] = Object.values(w.state.terminals);
    if (!shown?.truncated) throw new Error('The output was not seen.');
    return { heap: await heap(), longest, cpu: user + system, shown: shown.output.length };
  } finally {
    await w.end();
  }
}

/** Megabytes, after the garbage was collected. */
async function heap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let times = 0; times < 3; times += 1) {
    // What is collected may let go of more.
    await pause(10);
    collect();
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
