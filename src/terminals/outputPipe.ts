/**
 * One pipe for both stdout and stderr, so that their order is kept. Node's own pipes are sockets, and on
 * Linux a program cannot open `/dev/stderr` on a socket, as many a script does: there a named pipe is made
 * (and its name removed at once).
 */
import { execFile } from 'node:child_process';
import { close, constants, open } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

export interface OutputPipe {
  /** Ends when every process that has the other end is gone. */
  readonly output: Readable;
  /** The end for the child's stdout and stderr. */
  readonly childEnd: number;
  /** Closes our copy of the child's end: to be called once the child has been spawned. */
  closeChildEnd(): void;
}

/** Undefined where the system has no such pipe, or it cannot be made. */
export async function createOutputPipe(): Promise<OutputPipe | undefined> {
  if (process.platform !== 'linux') return undefined;
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    const path = join(folder, 'output');
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    // Reader first and without waiting: opening the write end then finds it there.
    const readEnd = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const childEnd = await openFile(path, constants.O_WRONLY);
    return {
      output: new Socket({ fd: readEnd, readable: true, writable: false }),
      childEnd,
      closeChildEnd: () => close(childEnd, () => undefined),
    };
  } catch {
    return undefined;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const openFile = promisify(open) as (path: string, flags: number) => Promise<number>;
