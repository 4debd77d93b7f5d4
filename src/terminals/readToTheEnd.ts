import { readSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Pty } from './nodePty';

/** How long nothing must come from a terminal that something still holds, how often it is looked at, and in all (ms). */
const QUIET_MS = 500;
const LOOK_MS = 30;
const MAX_MS = 5000;

/** Read at a time, in bytes: a terminal gives no more than 4 KiB. */
const PIECE = 64 * 1024;

/**
 * Node takes the hang-up of a terminal for the end of its output, and `node-pty` closes it 200 ms after its command has
 * ended; in both cases there can be more to read, above all on a busy machine. So before it is closed it is read until
 * the system says that there is no more.
 */
export function readToTheEnd(child: Pty, hear: (bytes: Buffer) => void): void {
  const { _socket: socket, fd } = child as Pty & Partial<Inside>;
  if (!socket || fd === undefined) return;
  const close = socket.destroy.bind(socket);
  let heardAt = 0;
  child.onData(() => (heardAt = performance.now()));
  const drain = (): boolean => {
    const bytes = Buffer.allocUnsafe(PIECE);
    try {
      for (let length = 1; length > 0;) {
        length = readSync(fd, bytes, 0, PIECE, null);
        if (length === 0) break;
        heardAt = performance.now();
        hear(Buffer.from(bytes.subarray(0, length)));
        if (heardAt >= deadline) break;
      }
      return true;
    } catch (error) {
      // EIO: nobody writes to it any more, and all is read.
      return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
    }
  };
  let deadline = Infinity;
  let isEnding = false;
  socket.destroy = error => {
    if (isEnding) return socket;
    isEnding = true;
    heardAt = performance.now();
    deadline = heardAt + MAX_MS;
    const look = (): void => {
      if (socket.destroyed) return;
      const isOver = drain();
      const now = performance.now();
      if (isOver || now - heardAt >= QUIET_MS || now >= deadline) close(error);
      else setTimeout(look, LOOK_MS);
    };
    look();
    return socket;
  };
}

/** What `node-pty` has on systems other than Windows. */
interface Inside {
  readonly _socket: Socket;
  readonly fd: number;
}
