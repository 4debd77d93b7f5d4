/** What a process holds at a moment of rest, and whether that stays the same. */
import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listProcesses } from '../../src/agents/process/processTable';
import { HOST_MARK, withMark } from '../../src/agents/process/processMark';

export interface Sample {
  readonly minutes: number;
  /** In MB, after the garbage was collected: objects, and bytes beside them. */
  readonly heap: number;
  readonly buffers: number;
  /** Timers, pipes, watchers, servers, whatever keeps the event loop alive. */
  readonly handles: number;
  readonly files: number;
  /** Children, and what bears the mark of an agent's process. */
  readonly processes: number;
}

const MB = 1024 * 1024;

export async function sample(minutes: number): Promise<Sample> {
  // What is collected may let go of more.
  for (let times = 0; times < 3; times++) {
    global.gc?.();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  const table = listProcesses().filter(({ zombie }) => !zombie);
  const marked = withMark(mark => mark.startsWith(HOST_MARK), table);
  const children = table.filter(({ parent }) => parent === process.pid);
  return {
    minutes,
    heap: heapUsed / MB,
    buffers: external / MB,
    handles: process.getActiveResourcesInfo().length,
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    processes: new Set([...marked, ...children].map(({ pid }) => pid)).size,
  };
}

const KINDS = ['heap', 'buffers', 'handles', 'files', 'processes'] as const;

/** What is no growth yet: a part of what there is, and a number of it. */
const SLACK: Readonly<Record<(typeof KINDS)[number], readonly [part: number, number: number]>> = {
  heap: [0.05, 1.5],
  buffers: [0.1, 2],
  handles: [0, 2],
  files: [0, 2],
  processes: [0, 0],
};

/** The first samples, in which everything is used for the first time. */
const WARM_UP = 0.25;

export interface Growth {
  readonly what: string;
  readonly before: number;
  readonly after: number;
  readonly isFlat: boolean;
}

/** The second half against the first, by their medians. */
export function growthOf(all: readonly Sample[]): readonly Growth[] {
  const samples = all.slice(Math.ceil(all.length * WARM_UP));
  const half = Math.floor(samples.length / 2);
  return KINDS.map(what => {
    const before = median(samples.slice(0, half).map(one => one[what]));
    const after = median(samples.slice(-half).map(one => one[what]));
    const [part, number] = SLACK[what];
    return { what, before, after, isFlat: after <= before + Math.max(before * part, number) };
  });
}

export function row({ minutes, ...values }: Sample): string {
  return [minutes.toFixed(1), ...KINDS.map(kind => figure(values[kind]))]
    .map(text => text.padStart(10))
    .join('');
}

export const HEADER = ['minutes', ...KINDS].map(text => text.padStart(10)).join('');

export function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
