import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import { tabIcon } from '../tabIcon';
import { pageHtml, webviewRoot } from './pageHtml';

export interface PagePanelParts<Intent> {
  readonly extensionUri: vscode.Uri;
  readonly viewType: string;
  readonly title: string;
  /** Name of the page's element. */
  readonly element: string;
  /** Where images may come from besides. */
  readonly images?: readonly string[];
  /** What the page shows: plain JSON. */
  state(): unknown;
  /** Says when the state is another one. */
  readonly onDidChange: (listener: () => void) => Disposable;
  parse(message: unknown): Intent | undefined;
  handle(intent: Intent): void;
}

/** A page in an editor tab that shows a state, and asks for things with intents. */
export class PagePanel<Intent> implements Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly listener: Disposable;
  private scheduled: NodeJS.Immediate | undefined;
  readonly onDidDispose: vscode.Event<void>;

  constructor(private readonly parts: PagePanelParts<Intent>) {
    const { extensionUri, viewType, title, element, images } = parts;
    this.panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(extensionUri)],
    });
    this.onDidDispose = this.panel.onDidDispose;
    this.panel.iconPath = tabIcon(extensionUri);
    this.listener = parts.onDidChange(() => this.soon());
    this.panel.onDidDispose(() => this.end());
    const { webview } = this.panel;
    webview.onDidReceiveMessage((message: unknown) => {
      const intent = parts.parse(message);
      if (intent === undefined) return;
      this.soon();
      parts.handle(intent);
    });
    webview.html = pageHtml({
      webview,
      extensionUri,
      bundle: 'pages',
      body: `<${element}></${element}>`,
      host: 'editor',
      ...(images && { images }),
    });
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.end();
    this.panel.dispose();
  }

  /** Progress comes often: one message a turn of the event loop is enough. */
  private soon(): void {
    this.scheduled ??= setImmediate(() => {
      this.scheduled = undefined;
      void this.panel.webview.postMessage({ type: 'state', state: this.parts.state() });
    });
  }

  private end(): void {
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    this.listener.dispose();
  }
}
