import * as l10n from '@vscode/l10n';
import type { SessionStore } from '../state/store';
import type { Translator } from '../translate/translate';

/** Says that an agent is read more slowly: once in a turn, however often it happens. */
export class SlowedAgent {
  private noticedIn: string | undefined;

  constructor(
    private readonly agentName: string,
    private readonly store: SessionStore,
    private readonly translator: Translator,
  ) {}

  add(updatesPerMinute: number): void {
    const turnId = this.store.state.activeTurn?.id;
    if (turnId === this.noticedIn) return;
    this.noticedIn = turnId;
    this.store.dispatch(
      this.translator.notice(
        'info',
        l10n.t('{0} is sending too many updates. Parley is slowing it down.', this.agentName),
        l10n.t(
          'Nothing is lost. To read faster, raise parley.limits.updatesPerMinute (now {0}).',
          updatesPerMinute,
        ),
      ),
    );
  }
}
