/**
 * Reads and writes the file that was checked, and no other: between the check of a path and its use a folder may have
 * become a link that leads elsewhere. On Linux the folder is opened, the kernel asked where it is, and the file
 * reached through it. Elsewhere the opened file is compared with what stands at the path, links resolved, before
 * a byte is read or written; a race can leave an empty new file there at most.
 */
import { constants, type Stats } from 'node:fs';
import { mkdir, open, readlink, realpath, rm, stat, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { FileError } from '../../session/ports';

/** Not defined on Windows. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants;
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
/** Of new files, less the umask. */
const NEW_MODE = 0o666;
const EXISTING_FILE = O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
const NEW_FILE = EXISTING_FILE | constants.O_CREAT | constants.O_EXCL;

/** A folder by which files are reached, whatever its path leads to by now. */
interface OpenFolder {
  /** @throws FileError `outsideWorkspace` when the opened file is another than the one of that name */
  open(name: string, flags: number): Promise<FileHandle>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Files of one way to open the folders that they are in. Paths are absolute, links resolved. */
export class ConfinedFiles {
  constructor(
    private readonly openFolder: (folder: string, isMade: boolean) => Promise<OpenFolder>,
  ) {}

  /**
   * @param check gets the size of what was opened, and may throw
   * @throws FileError `outsideWorkspace`; else what the file system says
   */
  async read(file: string, check?: (size: number) => void): Promise<Uint8Array> {
    return this.inFolder(file, false, async (folder, name) => {
      // A pipe would otherwise be waited for.
      const handle = await folder.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const { size } = await regular(handle, file);
        check?.(size);
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    });
  }

  /**
   * Writes a file, in place if there is one, and makes the folders that it needs. What fails half-way is put back.
   * @param before what the file is now; undefined when there is none
   * @throws FileError `outsideWorkspace`; else what the file system says
   */
  async write(file: string, bytes: Uint8Array, before: Uint8Array | undefined): Promise<void> {
    await this.inFolder(file, before === undefined, async (folder, name) => {
      const handle = await folder.open(name, before ? EXISTING_FILE : NEW_FILE);
      try {
        await regular(handle, file);
        try {
          await fill(handle, bytes);
        } catch (error) {
          if (before) await fill(handle, before).catch(() => undefined);
          else await folder.remove(name).catch(() => undefined);
          throw error;
        }
      } finally {
        await handle.close();
      }
    });
  }

  async remove(file: string): Promise<void> {
    await this.inFolder(file, false, (folder, name) => folder.remove(name));
  }

  private async inFolder<T>(
    file: string,
    isMade: boolean,
    work: (folder: OpenFolder, name: string) => Promise<T>,
  ): Promise<T> {
    const folder = await this.openFolder(path.dirname(file), isMade);
    try {
      return await work(folder, path.basename(file));
    } catch (error) {
      // The file itself became a link.
      throw (error as NodeJS.ErrnoException).code === 'ELOOP' ? moved(file) : error;
    } finally {
      await folder.close();
    }
  }
}

async function regular(handle: FileHandle, file: string): Promise<Stats> {
  const info = await handle.stat();
  if (!info.isFile()) throw new FileError('notText', `Not a regular file: ${file}`);
  return info;
}

/** Written first and cut then: on a full disk as much as possible of what there was stays. */
async function fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, at);
    at += bytesWritten;
  }
  await handle.truncate(bytes.length);
}

/** Where the kernel says where what is opened is: on Linux. */
export async function openByPlace(folder: string, isMade: boolean): Promise<OpenFolder> {
  const handle = await openOrMake(folder, isMade);
  const place = placeOf(handle);
  return {
    open: (name, flags) => open(path.join(place, name), flags, NEW_MODE),
    remove: name => rm(path.join(place, name)),
    close: () => handle.close(),
  };
}

/** Each missing folder is made in the opened one above it. */
async function openOrMake(folder: string, isMade: boolean): Promise<FileHandle> {
  const handle = await open(folder, FOLDER).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !isMade || path.dirname(folder) === folder) throw error;
  });
  if (!handle) {
    const above = await openOrMake(path.dirname(folder), true);
    try {
      const inner = path.join(placeOf(above), path.basename(folder));
      await mkdir(inner).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      return await open(inner, FOLDER);
    } finally {
      await above.close();
    }
  }
  try {
    if (!isSame(await readlink(placeOf(handle)), folder)) throw moved(folder);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** On every system. */
export async function openByPath(folder: string, isMade: boolean): Promise<OpenFolder> {
  if (isMade) await mkdir(folder, { recursive: true });
  if (!isSame(await realpath(folder), folder)) throw moved(folder);
  return {
    async open(name, flags) {
      const handle = await open(path.join(folder, name), flags, NEW_MODE);
      try {
        await verify(handle, path.join(folder, name));
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    async remove(name) {
      if (!isSame(await realpath(folder), folder)) throw moved(folder);
      await rm(path.join(folder, name));
    },
    close: () => Promise.resolve(),
  };
}

/** @throws FileError when what was opened is not what stands at `file` */
async function verify(handle: FileHandle, file: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  const real = await realpath(file);
  const there = await stat(real, { bigint: true });
  const isIt = opened.ino === there.ino && opened.dev === there.dev;
  if (!isIt || !isSame(real, file)) throw moved(file);
}

/** Where the kernel says that an opened folder is, and a way into that very folder. */
function placeOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

const files = new ConfinedFiles(process.platform === 'linux' ? openByPlace : openByPath);

export const readConfined = files.read.bind(files);
export const writeConfined = files.write.bind(files);
export const removeConfined = files.remove.bind(files);

/** Some file systems do not distinguish the spellings of a name. */
function isSame(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize('NFC').toLowerCase();
  return one === other || plain(one) === plain(other);
}

function moved(folder: string): FileError {
  return new FileError(
    'outsideWorkspace',
    `The folder became another one while it was used: ${folder}`,
  );
}
