import { Emitter } from '../../base/event';
import type { SessionAction } from './actions';
import { reduce } from './reducer';
import type { SessionState } from './state';

export interface Applied {
  /** Counts the actions of this store from 1, without gaps. */
  readonly seq: number;
  readonly action: SessionAction;
}

/**
 * The authority over one chat: every change is an action, applied here first and sent on with its number.
 * A listener must not dispatch.
 */
export class SessionStore {
  private current: SessionState;
  private count = 0;
  private dispatching = false;
  private readonly applied = new Emitter<Applied>();
  readonly onDidApply = this.applied.event;

  constructor(initial: SessionState) {
    this.current = initial;
  }

  get state(): SessionState {
    return this.current;
  }

  /** Number of the last applied action; 0 before the first. */
  get seq(): number {
    return this.count;
  }

  dispatch(action: SessionAction): void {
    if (this.dispatching)
      throw new Error('An action was dispatched while another was being reported.');
    const next = reduce(this.current, action);
    if (next === this.current) return;
    this.current = next;
    this.count += 1;
    this.dispatching = true;
    try {
      this.applied.fire({ seq: this.count, action });
    } finally {
      this.dispatching = false;
    }
  }
}
