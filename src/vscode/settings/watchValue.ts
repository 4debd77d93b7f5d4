import type { Disposable } from '../../base/lifecycle';

/**
 * Calls `changed` when `read` answers something else after a change of the configuration. The values are
 * compared, and the event is not asked what it affects: settings that come late, after a slow start, come
 * in an event that names none.
 * @param onDidChange `vscode.workspace.onDidChangeConfiguration`
 * @param read the value; compared as JSON
 */
export function watchValue(
  onDidChange: (listener: () => void) => Disposable,
  read: () => unknown,
  changed: () => void,
): Disposable {
  let last = JSON.stringify(read());
  return onDidChange(() => {
    const now = JSON.stringify(read());
    if (now === last) return;
    last = now;
    changed();
  });
}
