/** What a program is given besides its arguments, which everybody on the machine can read. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SecretFile {
  readonly path: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** A new file with that text, which only the user can read. @throws the system's error */
export async function secretFile(text: string): Promise<SecretFile> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-'));
  const path = join(folder, 'mcp.json');
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => undefined);
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
