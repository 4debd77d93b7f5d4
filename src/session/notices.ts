import { withoutEscapes } from '../base/escapeSequences';
import type { SessionAction } from './state/actions';
import type { SessionStore } from './state/store';
import type { Environment } from './ports';

type NoticeAdded = Extract<SessionAction, { type: 'noticeAdded' }>;

/** What Parley itself says in a chat. */
export class Notices {
  private held: NoticeAdded[] = [];

  constructor(
    private readonly store: SessionStore,
    private readonly environment: Pick<Environment, 'now' | 'newId'>,
  ) {}

  add(
    level: NoticeAdded['level'],
    text: string,
    detail?: string,
    actions?: NoticeAdded['actions'],
  ): void {
    this.store.dispatch(noticeOf(this.environment, level, text, detail, actions));
  }

  /** To be said with the next turn: what is said before leaves no room for how a chat begins. */
  hold(level: NoticeAdded['level'], text: string, detail: string): void {
    const others = this.held.filter(notice => notice.text !== text);
    this.held = [...others, noticeOf(this.environment, level, text, detail)];
  }

  /** Says what was held. */
  release(): void {
    for (const notice of this.held.splice(0)) {
      this.store.dispatch({ ...notice, at: this.environment.now() });
    }
  }
}

export function noticeOf(
  environment: Pick<Environment, 'now' | 'newId'>,
  level: NoticeAdded['level'],
  text: string,
  detail?: string | null,
  actions: NoticeAdded['actions'] = [],
): NoticeAdded {
  const partId = environment.newId();
  return {
    type: 'noticeAdded',
    turnId: environment.newId(),
    partId,
    level,
    text: withoutEscapes(text),
    ...(typeof detail === 'string' && detail !== '' && { detail: withoutEscapes(detail) }),
    actions,
    at: environment.now(),
  };
}
