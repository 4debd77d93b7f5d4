import type { AgentTracking, TextFiles } from '../ports';
import type { SessionStore } from '../state/store';

/** `files` for the agent of one chat: what it writes is told to `tracking` as that of its turn. */
export function recorded(
  files: TextFiles,
  store: SessionStore,
  tracking: AgentTracking,
): TextFiles {
  return {
    read: (path, range, scope) => files.read(path, range, scope),
    write: (path, content, scope) => {
      const { chatId, activeTurn, turns } = store.state;
      // Some agents still write when their turn has ended.
      const turnId = (activeTurn ?? turns.at(-1))?.id;
      if (turnId === undefined) return files.write(path, content, scope);
      return tracking.record({ chatId, turnId }, path, () => files.write(path, content, scope));
    },
  };
}
