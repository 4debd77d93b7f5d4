import type { Disposable } from '../src/base/lifecycle';
import type { FormValues } from '../src/session/state/elicitation';
import type { FromView, ToView } from '../src/shared/messages';
import type { EditorMemory } from './composer/editorOffer';
import type { RecentChoices } from './footer/recentChoices';
import type { PromptEdit } from './transcript/promptEdits';
import type { SubagentPlace } from './transcript/subagentPlace';

/** What a view keeps for itself over reloads: things folded, and which list is open. Plain JSON. */
export interface ViewMemory extends EditorMemory {
  readonly viewId: string;
  readonly chatId?: string;
  readonly showsChats?: boolean;
  /** The way into the subagent that is shown, from that chat on. */
  readonly subagents?: readonly SubagentPlace[];
  /** Ids of the dock's sections that the user opened (`true`) or folded (`false`). */
  readonly dock?: Readonly<Record<string, boolean>>;
  /** The same for parts of the conversation, by the transcript's keys. */
  readonly folds?: Readonly<Record<string, boolean>>;
  /** Prompts that are being changed, by their turns. */
  readonly promptEdits?: Readonly<Record<string, PromptEdit>>;
  /** What was chosen lately, by agent and option. */
  readonly recentChoices?: Readonly<Record<string, RecentChoices>>;
  /** What was filled in and not sent yet, by the id of the form. */
  readonly forms?: Readonly<Record<string, FormValues>>;
}

/** The extension host as the page sees it. */
export interface Host {
  post(message: FromView): void;
  onMessage(listener: (message: ToView) => void): Disposable;
  /** What `remember` kept last; undefined on a view's first start. */
  recall(): ViewMemory | undefined;
  remember(memory: ViewMemory): void;
}

/** The host of a real webview. Call it once: VS Code hands out its API only once. */
export function connectHost(): Host {
  const api = acquireVsCodeApi<ViewMemory>();
  return {
    post: message => api.postMessage(message),
    onMessage(listener) {
      const receive = (event: MessageEvent<ToView>) => listener(event.data);
      window.addEventListener('message', receive);
      return { dispose: () => window.removeEventListener('message', receive) };
    },
    recall: () => api.getState(),
    remember: memory => void api.setState(memory),
  };
}
