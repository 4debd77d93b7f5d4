/** Programs that an agent has left running, for the user to say what becomes of them. Their commands are known on Linux alone. */
import { readFileSync } from 'node:fs';
import { readProcEntry, withDescendants, type ProcessEntry } from './processTable';

export interface LeftProgram {
  /** What is below it is part of it. */
  readonly process: ProcessEntry;
  readonly command: string;
}

const KILL_AFTER_MS = 1000;

export function isRunning({ pid, started }: ProcessEntry): boolean {
  const now = readProcEntry(pid);
  return now !== undefined && !now.zombie && now.started === started;
}

/** Ends a program with all below it. @param list what runs now */
export function endProgram(
  { process: { pid }, process: entry }: LeftProgram,
  list: () => readonly ProcessEntry[],
): void {
  if (!isRunning(entry)) return;
  const table = list();
  const tree = withDescendants([pid], table);
  const parts = table.filter(part => tree.has(part.pid));
  signal(parts, 'SIGTERM');
  setTimeout(() => signal(parts, 'SIGKILL'), KILL_AFTER_MS);
}

/** Its command line. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // It has ended, or there is no such list.
    return '';
  }
}

function signal(parts: readonly ProcessEntry[], name: NodeJS.Signals): void {
  for (const { pid, started } of parts) {
    if (readProcEntry(pid)?.started !== started) continue;
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  }
}
