import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

/**
 * Processes that mention `text` in their command line, their environment or their working directory:
 * with a directory of the test's own as `text`, all that was started from it. Linux only.
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
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const directory = readlinkSync(`/proc/${pid}/cwd`);
    if (![command, environment, directory].some(place => place.includes(text))) return undefined;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return { pid, group: Number(fields?.[2]), command };
  } catch {
    return undefined;
  }
}
