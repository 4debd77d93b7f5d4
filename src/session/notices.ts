import type { SessionAction } from './state/actions';
import type { SessionStore } from './state/store';
import type { Environment } from './ports';

type NoticeAdded = Extract<SessionAction, { type: 'noticeAdded' }>;

/** What Parley itself says in a chat. */
export class Notices {
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
    text,
    ...(typeof detail === 'string' && detail !== '' && { detail }),
    actions,
    at: environment.now(),
  };
}
