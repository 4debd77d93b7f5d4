import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import type { Disposable } from '../../base/lifecycle';

/** Between a process and its host in a name. */
const AT = '@';

/** Windows that have one storage open: a file for each, named by its process and its host. */
export class OpenWindows implements Disposable {
  private readonly own = `${process.pid}-${randomUUID()}${AT}${encodeURIComponent(hostname())}`;
  private disposed = false;

  /** @param folder absolute; made when first entered */
  constructor(private readonly folder: string) {}

  /** This window is one of them from now on. Never rejects: where nothing can be written nothing is removed either. */
  async enter(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true });
      if (!this.disposed) await writeFile(path.join(this.folder, this.own), '');
    } catch {
      return;
    }
  }

  /** Whether there are others. What a window that was killed has left is removed. */
  async haveOthers(): Promise<boolean> {
    const names = await readdir(this.folder).catch(() => []);
    const others = names.filter(name => name !== this.own);
    const gone = others.filter(isGone);
    for (const name of gone) await rm(path.join(this.folder, name), { force: true });
    return others.length > gone.length;
  }

  dispose(): void {
    this.disposed = true;
    rmSync(path.join(this.folder, this.own), { force: true });
  }
}

/** What runs on another host, or in another container, nobody can see from here. Older versions named none. */
function isGone(name: string): boolean {
  const [, host = encodeURIComponent(hostname())] = name.split(AT);
  return host === encodeURIComponent(hostname()) && !isRunning(Number.parseInt(name));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
