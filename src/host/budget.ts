import * as path from 'node:path';
import { Emitter } from '../base/event';
import { lazy } from '../base/lazy';
import { hasLimits } from '../session/budget/limits';
import type { Chats } from '../session/chats';
import type { SessionState } from '../session/state/state';
import type { BudgetLeft } from '../shared/panelState';
import type { BudgetWatch } from '../vscode/budget/budgetWatch';
import type { Settings } from '../vscode/settings/settings';
import type { LazyTracking } from '../vscode/tracking/lazyTracking';
import type { Window } from './window';

export interface WindowBudget {
  /** Whether the next message of the chat may go out; when it is not known yet, it goes out a moment later. */
  mayPrompt(state: SessionState): boolean;
  goOn(chatId: string): void;
  left(chatId: string): BudgetLeft | undefined;
  readonly onDidChange: Emitter<void>['event'];
  flush(): Promise<void>;
}

/** What may be spent; it loads when there is a limit and something is sent. */
export function composeBudget(
  { parts, context, environment, logger }: Window,
  settings: Settings,
  tracking: LazyTracking,
  chats: () => Chats,
): WindowBudget {
  const changed = parts.add(new Emitter<void>());
  let watch: BudgetWatch | undefined;
  let isBroken = false;
  const loading = lazy(async () => {
    const [{ BudgetWatch }, { DayFile }] = await Promise.all([
      import('../vscode/budget/budgetWatch'),
      import('../vscode/budget/dayFile'),
    ]);
    watch = parts.add(
      await BudgetWatch.open({
        chats: chats(),
        review: tracking.review,
        budget: () => settings.current.budget,
        days: new DayFile(path.join(context.globalStorageUri.fsPath, 'budget.json')),
        environment,
        logger,
      }),
    );
    parts.add(watch.onDidChange(() => changed.fire()));
  });
  return {
    mayPrompt(state) {
      if (isBroken || !hasLimits(settings.current.budget)) return true;
      if (watch) return watch.mayPrompt(state);
      void loading()
        .catch((error: unknown) => {
          isBroken = true;
          logger.error('The budget is not watched', error);
        })
        .then(() => chats().get(state.chatId)?.controller.connect());
      return false;
    },
    goOn(chatId) {
      if (watch) watch.goOn(chatId);
      // The question is of an earlier window: it is asked again if need be.
      else void chats().get(chatId)?.controller.connect();
    },
    left: chatId => (hasLimits(settings.current.budget) ? watch?.left(chatId) : undefined),
    onDidChange: changed.event,
    flush: async () => watch?.flush(),
  };
}
