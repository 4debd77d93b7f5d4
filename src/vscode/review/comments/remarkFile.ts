import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { RemarkMemory } from './changeComments';

/**
 * Remarks in a file of the workspace's storage. Written at once, and not through VS Code's own memory: a
 * browser that is reloaded may not have written that down yet.
 * @param file absolute
 */
export function remarkFile(file: string): RemarkMemory {
  return {
    get() {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as unknown;
      } catch {
        return undefined;
      }
    },
    set(value) {
      if (value === undefined) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
