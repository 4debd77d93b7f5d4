import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export interface ActivationRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const ROUNDS = 9;
const BUDGET = 50;

/**
 * CPU time that `require()` and `activate()` of the shipped bundle take, each round in a fresh process with
 * an API of VS Code that does nothing. The best round counts: the others measure what else the machine did.
 */
export async function benchActivation(): Promise<ActivationRow[]> {
  const program = path.join(import.meta.dirname, 'activate.cjs');
  const rounds: { readonly require: number; readonly activate: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, [
      program,
      path.resolve('dist/extension.js'),
    ]);
    rounds.push(JSON.parse(stdout) as (typeof rounds)[number]);
  }
  const total = rounds.map(round => round.require + round.activate).sort((a, b) => a - b);
  const best = total[0] ?? Number.NaN;
  const median = total[Math.floor(total.length / 2)] ?? Number.NaN;
  return [
    {
      name: 'require() and activate(), CPU',
      value: best,
      unit: 'ms',
      note: `budget ${BUDGET} ms, median ${median.toFixed(1)} ms of ${ROUNDS}`,
    },
  ];
}
