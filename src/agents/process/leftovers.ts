import { hostOf, withMark } from './processMark';
import { listProcesses, readProcEntry, withDescendants, type ProcessEntry } from './processTable';
import { withoutUsersBrowsers } from './usersBrowser';
import { editorProcesses } from './usersEditor';

/** Processes that agents have started whose extension host is gone. On Linux alone they can be known. */
export function findLeftovers(): readonly ProcessEntry[] {
  const table = listProcesses();
  const running = new Set(table.filter(({ zombie }) => !zombie).map(({ pid }) => pid));
  const isLeft = (host: number | undefined): boolean => host !== undefined && !running.has(host);
  // A window that an agent opened has its mark, and all that the window has started.
  const editor = withDescendants([...editorProcesses(), process.pid], table);
  const others = table.filter(({ pid }) => !editor.has(pid));
  return withMark(mark => isLeft(hostOf(mark)), withoutUsersBrowsers(others));
}

/** Ends those that are still the very processes that were found. */
export function endLeftovers(found: readonly ProcessEntry[]): void {
  for (const { pid, started } of found) {
    if (readProcEntry(pid)?.started !== started) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}
