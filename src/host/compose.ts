import type { ExtensionContext } from 'vscode';
import { within } from '../agents/within';
import { DisposableStore, toDisposable } from '../base/lifecycle';
import { VscodeTextFiles } from '../vscode/files/vscodeTextFiles';
import type { Logs } from '../vscode/logs';
import { PseudoterminalMirror } from '../vscode/terminals/pseudoterminalMirror';
import { composeChats } from './chats';
import { composeEditor } from './editor';
import { composeReview } from './review';
import { composeSettings } from './settings';
import { windowOf } from './window';

/** Parley as it runs in one window. */
export interface Parley {
  /** Ends every session and process, and writes what is not written yet. */
  stop(): Promise<void>;
}

/** How long agents may take to end before the chats are written, in milliseconds. */
const CLOSE_MS = 2_000;

/** The composition root: makes every part and hands each what it needs. */
export function compose(context: ExtensionContext, logs: Logs): Parley {
  const parts = new DisposableStore();
  context.subscriptions.push(parts);

  const window = windowOf(context, logs, parts);
  const { processes } = window;
  const review = composeReview(window);
  const { tracking, proposals } = review;
  const settings = composeSettings(window, tracking);
  const { logger } = window;
  const files = parts.add(new VscodeTextFiles(logger, () => settings.settings.current.fileBytes));
  const mirror = parts.add(new PseudoterminalMirror());
  const chats = composeChats(window, { ...settings, tracking, files, mirror, proposals });
  composeEditor(window, { ...review, ...settings, ...chats, files, mirror });
  // Last in, first out: whatever else fails, nothing that Parley started stays behind.
  parts.add(toDisposable(() => processes.killAllNow()));

  return {
    async stop() {
      // An editor that closes does not wait for long: what was said must be written before.
      await within(Promise.allSettled([chats.chats.closeAll(), chats.agents.stopAll()]), CLOSE_MS);
      await Promise.allSettled([
        chats.history.flush(),
        chats.decisionsWritten(),
        chats.budget.flush(),
        tracking.flush(),
      ]);
      processes.killAllNow();
    },
  };
}
