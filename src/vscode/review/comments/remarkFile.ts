import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { mergeMaps } from '../../../base/mergeMaps';
import { readRemarks, type Remark } from '../../../review/remarks';
import type { RemarkMemory } from './changeComments';

/**
 * Remarks in a file of the workspace's storage, with those of other windows. Written at once, and not through VS Code's
 * own memory: a browser that is reloaded may not have written that down yet.
 * @param file absolute
 */
export function remarkFile(file: string): RemarkMemory {
  /** What this window last read or wrote of its own: what it had then and has not now was taken away here. */
  let known: ReadonlyMap<string, Remark> = new Map();
  return {
    get() {
      const remarks = read(file);
      known = byKey(remarks);
      return remarks;
    },
    set(remarks) {
      const mine = byKey(remarks);
      const theirs = byKey(read(file));
      // Who sends or deletes a remark has the last word, whoever moves it.
      const all = mergeMaps(known, mine, theirs, isSame, (a, b) => a && b && a);
      known = mine;
      if (all.size === 0) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(path.dirname(file), { recursive: true });
      const temporary = `${file}.${randomUUID()}.new`;
      writeFileSync(temporary, JSON.stringify([...all.values()]), { mode: 0o600 });
      renameSync(temporary, file);
    },
  };
}

function read(file: string): readonly Remark[] {
  try {
    return readRemarks(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

function byKey(remarks: readonly Remark[]): ReadonlyMap<string, Remark> {
  return new Map(
    remarks.map(one => [JSON.stringify([one.change.path, one.change.hunkId, one.text]), one]),
  );
}

function isSame(a: Remark | undefined, b: Remark | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
