import type { LeaseUse } from '../ports';
import type { SessionState } from '../state/state';

/** What a chat needs its agent's process for: nothing while it is open, waits for the user, and can be resumed. */
export function leaseUse(state: SessionState): LeaseUse {
  if (state.activeTurn) return 'turn';
  const { connection, agent, permissions, elicitations, queue, terminals, background } = state;
  const { loadSession, resumeSession } = agent.capabilities;
  const isQuiet =
    connection.kind === 'ready' &&
    (loadSession || resumeSession) &&
    !background &&
    permissions.length + elicitations.length + queue.length === 0 &&
    Object.values(terminals).every(({ owned, exit }) => !owned || exit);
  return isQuiet ? 'nothing' : 'else';
}
