import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

/**
 * Processes whose command line or working directory contains `text`: with a directory of the test's own,
 * all that was started from it or in it. Linux only.
 */
export function processesMentioning(text: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(name => {
      const running = inspect(Number(name), text);
      return running ? [running] : [];
    });
}

function inspect(pid: number, text: string): RunningProcess | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    // A zombie has no command line: it has ended, its parent has just not asked yet.
    if (command === '') return undefined;
    const directory = readlinkSync(`/proc/${pid}/cwd`);
    if (!command.includes(text) && !directory.includes(text)) return undefined;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return { pid, group: Number(fields?.[2]), command };
  } catch {
    return undefined;
  }
}
