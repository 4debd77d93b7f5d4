/**
 * The user's editor, in whose processes Parley is one. Asked by an agent to open a window (`code folder`), the editor that
 * runs hands the agent's environment on to it, and so the agent's mark; yet its windows are not the agent's. On Linux alone
 * this matters: marks are read nowhere else.
 */
import { readlinkSync } from 'node:fs';
import { readProcEntry, withDescendants, type ProcessEntry } from './processTable';
import { withoutUsersBrowsers } from './usersBrowser';

/** What started this very process. Should that end, another takes its place, which adopts what agents leave too. */
const PARENT = process.ppid;

/** The editor's processes above this one: they run the same program, which what adopts others (systemd) does not. */
export function editorProcesses(): readonly number[] {
  if (process.platform !== 'linux') return [];
  const own = programOf(process.pid);
  const found: number[] = [];
  let pid = PARENT;
  while (own !== undefined && pid > 1 && programOf(pid) === own) {
    found.push(pid);
    pid = readProcEntry(pid)?.parent ?? 0;
  }
  return found;
}

/** The processes of `table` that are not the editor's, but for what is below this one. */
export function outsideEditor(table: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const others = table.filter(({ pid }) => pid !== process.pid);
  const spared = withDescendants(editorProcesses(), others);
  return others.filter(({ pid }) => !spared.has(pid));
}

/** The processes of `table` without the user's own: browsers (but for `own`, which was asked for) and the editor's. */
export function withoutUsers(
  table: readonly ProcessEntry[],
  own?: number,
): readonly ProcessEntry[] {
  return outsideEditor(withoutUsersBrowsers(table, own));
}

/** The program may have been updated meanwhile. */
function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    // It has ended, or is another user's.
    return undefined;
  }
}
