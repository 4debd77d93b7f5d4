import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import { waitingRequests } from '../../src/session/state/selectors';
import type { ProblemKind, SessionState } from '../../src/session/state/state';

/** What the header says about a chat: a word or two, and a sign when there is something to say. */
export interface StateLine {
  readonly text: string;
  /** Codicon; absent when nothing is going on. */
  readonly icon?: string;
  readonly tone?: 'warn' | 'bad' | 'run';
}

export function stateLine(session: SessionState): StateLine {
  const { connection } = session;
  switch (connection.kind) {
    case 'starting':
      return { text: l10n.t('Connecting'), icon: 'loading', tone: 'run' };
    case 'signIn':
      return { text: l10n.t('Sign-in needed'), icon: 'key', tone: 'warn' };
    case 'failed':
      return failedLine(connection.problem.kind);
    case 'stopped':
      return { text: l10n.t('Not running') };
    case 'ready':
      return readyLine(session);
    default:
      return assertNever(connection);
  }
}

function readyLine(session: SessionState): StateLine {
  if (waitingRequests(session).length > 0) {
    return { text: l10n.t('Waiting for you'), icon: 'bell-dot', tone: 'warn' };
  }
  if (session.cancelling) return { text: l10n.t('Stopping'), icon: 'loading', tone: 'run' };
  if (session.activeTurn) return { text: l10n.t('Working'), icon: 'loading', tone: 'run' };
  const stopped = session.turns.at(-1)?.end?.reason === 'cancelled';
  return { text: stopped ? l10n.t('Stopped') : l10n.t('Ready') };
}

function failedLine(kind: ProblemKind): StateLine {
  switch (kind) {
    case 'crashed':
      return { text: l10n.t('Crashed'), icon: 'error', tone: 'bad' };
    case 'disconnected':
      return { text: l10n.t('Disconnected'), icon: 'debug-disconnect', tone: 'warn' };
    case 'sessionFailed':
      return { text: l10n.t('No session'), icon: 'error', tone: 'bad' };
    case 'commandNotFound':
    case 'spawnFailed':
    case 'exitedEarly':
    case 'notAcp':
    case 'unsupportedVersion':
    case 'timeout':
    case 'badConfiguration':
      return { text: l10n.t('Could not start'), icon: 'error', tone: 'bad' };
    default:
      return assertNever(kind);
  }
}

/** The chat's title: the agent's, else the first prompt, else that it is new. */
export function chatTitle(session: SessionState): string {
  if (session.title) return session.title;
  const first = session.turns.find(turn => turn.prompt)?.prompt ?? session.activeTurn?.prompt;
  const line = first?.text.trim().split('\n', 1)[0];
  return line ? line : l10n.t('New chat');
}
