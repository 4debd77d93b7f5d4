import type * as vscode from 'vscode';
import type { Emitter } from '../../base/event';
import { DisposableStore, toDisposable } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Chats } from '../../session/chats';
import { parseIntent } from '../../shared/intents';
import type { Intent } from '../../shared/intents';
import type { EditPromptMessage, SimpleCommand, ToView } from '../../shared/messages';
import type { QueryHandlers } from '../../shared/queries';
import { QueryResponder } from '../../shared/queryResponder';
import { ViewSync } from '../../shared/viewSync';
import type { PanelSource } from '../chats/panelSource';
import { webviewRoot } from '../pages/pageHtml';
import { chatHtml } from './html';

/** What every view needs. */
export interface ChatViewServices {
  readonly chats: Chats;
  readonly panel: PanelSource;
  readonly extensionUri: vscode.Uri;
  readonly logger: Logger;
  /** Settles when the chats of earlier windows are there; views wait for it rather than show none. */
  readonly restored: Promise<void>;
  readonly queries: QueryHandlers;
}

/** What the user asked for in a view. */
export interface ViewIntent {
  readonly view: ChatView;
  readonly intent: Intent;
  /** The chat that it is about, if any. */
  readonly chatId: string | undefined;
}

export interface ChatViewContext extends ChatViewServices {
  readonly received: Pick<Emitter<ViewIntent>, 'fire'>;
}

const FRAME_MS = 16;

/** What a view can be asked to do. */
export type ViewCommand = SimpleCommand | EditPromptMessage;

/**
 * One webview and the chat it shows. The page says `ready` each time it loads; whatever it misses, also while
 * it is hidden, comes back with the snapshot it then gets.
 */
export class ChatView implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly sync: ViewSync;
  private readonly queries: QueryResponder;
  private loaded = false;
  private isHidden = false;
  private disposed = false;
  private shown: string | undefined;
  private id = '';
  /** Waits until the page is there. */
  private waiting: ViewCommand | undefined;

  constructor(
    readonly host: 'sidebar' | 'editor',
    private readonly webview: vscode.Webview,
    private readonly services: ChatViewContext,
    chatId: string | undefined,
  ) {
    this.sync = this.disposables.add(
      new ViewSync(
        message => webview.postMessage(message),
        nextFrame,
        () => Date.now(),
      ),
    );
    this.queries = this.disposables.add(
      new QueryResponder(
        message => webview.postMessage(message),
        services.queries,
        (problem, error) => services.logger.error(problem, error),
      ),
    );
    this.disposables.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    this.disposables.add(services.panel.onDidChange(() => this.sendPanel()));
    webview.options = {
      enableScripts: true,
      enableForms: false,
      localResourceRoots: [webviewRoot(services.extensionUri)],
    };
    this.show(chatId);
    webview.html = chatHtml(webview, services.extensionUri, host);
  }

  /** The chat shown, if any. */
  get chatId(): string | undefined {
    return this.shown;
  }

  /** The page's own id: typing in one view is not another's. */
  get viewId(): string {
    return this.id;
  }

  show(chatId: string | undefined): void {
    this.shown = chatId;
    const chat = chatId === undefined ? undefined : this.services.chats.get(chatId);
    this.sendPanel();
    this.sync.show(chat?.store);
  }

  /** Hidden, the page stays as it is and is sent nothing until it is visible again. */
  setVisible(visible: boolean): void {
    if (this.isHidden === !visible) return;
    this.isHidden = !visible;
    if (this.isHidden) this.sync.pause();
    if (this.isHidden || !this.loaded) return;
    this.sendPanel();
    this.sync.resync();
    this.deliver();
  }

  /** Answers a request that the page shows; see `AnswerMessage`. */
  answer(requestId: string, answer: 'allow' | 'reject'): void {
    const message: ToView = { type: 'answerRequest', requestId, answer };
    // Nobody sees what a hidden page shows.
    if (this.loaded && !this.isHidden) void this.webview.postMessage(message);
  }

  /** Now, or as soon as the page is there and visible. */
  command(command: ViewCommand): void {
    if (this.loaded && !this.isHidden) void this.webview.postMessage(command);
    else this.waiting = command;
  }

  dispose(): void {
    this.disposed = true;
    this.loaded = false;
    this.disposables.dispose();
  }

  private sendPanel(): void {
    if (!this.loaded || this.isHidden) return;
    const state = this.services.panel.stateFor(this.host, this.shown);
    void this.webview.postMessage({ type: 'panel', state } satisfies ToView);
  }

  private receive(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const fields = message as Readonly<Record<string, unknown>>;
    switch (fields['type']) {
      case 'ready':
        this.ready(fields['viewId']);
        return;
      case 'resync':
        this.sync.resync();
        return;
      case 'query':
        this.queries.receive(fields['id'], fields['query'], this.chatOf(fields['chatId']));
        return;
      case 'cancelQuery':
        this.queries.cancel(fields['id']);
        return;
      case 'viewError':
        this.services.logger.error(`In the chat view: ${String(fields['message'])}`);
        return;
      case 'intent':
        this.intent(fields['chatId'], fields['intent']);
        return;
      default:
        this.services.logger.warn(
          `The chat view sent an unknown message: ${String(fields['type'])}`,
        );
    }
  }

  private ready(viewId: unknown): void {
    this.id = typeof viewId === 'string' ? viewId : '';
    this.queries.clear();
    void this.services.restored.then(() => this.start());
  }

  private start(): void {
    if (this.disposed) return;
    this.loaded = true;
    // A page loads when it is shown, whatever was heard of it before.
    this.isHidden = false;
    if (this.shown !== undefined && !this.services.chats.get(this.shown)) this.shown = undefined;
    this.show(this.shown);
    this.sync.resync();
    this.deliver();
  }

  private deliver(): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) this.command(waiting);
  }

  private intent(chatId: unknown, value: unknown): void {
    const intent = parseIntent(value);
    if (!intent) {
      this.services.logger.warn('The chat view asked for something Parley does not know.');
      return;
    }
    const about = this.chatOf(chatId);
    // What was clicked in a chat that is no longer shown has had its time; what was written must not be lost.
    const isWritten = ['send', 'sendWithEditor', 'draft'].includes(intent.type);
    if (about !== this.shown && !isWritten) return;
    this.services.received.fire({ view: this, intent, chatId: about });
  }

  private chatOf(chatId: unknown): string | undefined {
    return typeof chatId === 'string' ? chatId : this.shown;
  }
}

function nextFrame(task: () => void): Disposable {
  const timer = setTimeout(task, FRAME_MS);
  return toDisposable(() => clearTimeout(timer));
}
