import type { SessionAction } from '../state/actions';
import type { Environment } from '../ports';
import { reduce } from '../state/reducer';
import type { SessionState } from '../state/state';

/** A chat whose agent is gone: nothing runs, nothing waits. */
export function stoppedState(state: SessionState, environment: Environment): SessionState {
  const at = environment.now();
  const endings: readonly SessionAction[] = [
    ...state.permissions.map(({ id }) => ({
      type: 'permissionAnswered' as const,
      requestId: id,
      outcome: 'cancelled' as const,
      at,
    })),
    ...state.elicitations.map(({ id }) => ({
      type: 'elicitationEnded' as const,
      requestId: id,
      at,
    })),
    ...Object.values(state.terminals)
      .filter(({ exit }) => !exit)
      .map(({ id }) => ({
        type: 'terminalExited' as const,
        terminalId: id,
        exit: { exitCode: null, signal: null },
        at,
      })),
    { type: 'turnEnded', end: { reason: 'interrupted' }, planPartId: environment.newId(), at },
    { type: 'connectionChanged', connection: { kind: 'stopped' } },
    { type: 'commandsChanged', commands: [] },
    { type: 'configChanged', options: [] },
  ];
  return endings.reduce(reduce, state);
}
