import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { parseBrowseIntent, type BrowseIntent } from '../../shared/browsePage';
import { showErrorMessage } from '../messages';
import { PagePanel } from '../pages/pagePanel';
import type { Registry } from './registry';

export interface BrowsePageParts {
  readonly extensionUri: vscode.Uri;
  readonly registry: Registry;
  readonly address: () => string;
  /** Starts a chat with the agent that was installed as `id`. */
  readonly start: (id: string) => Promise<void>;
  readonly logger: Logger;
}

/** "Browse Agents": one tab, with the list of the registry. */
export class BrowsePage implements Disposable {
  private page: PagePanel<BrowseIntent> | undefined;

  constructor(private readonly parts: BrowsePageParts) {}

  open(): void {
    if (this.page) {
      this.page.reveal();
      return;
    }
    const { extensionUri, registry, address } = this.parts;
    this.page = new PagePanel<BrowseIntent>({
      extensionUri,
      viewType: 'parley.browseAgents',
      title: vscode.l10n.t('Browse Agents'),
      element: 'parley-browse',
      // Icons stand beside the list, and nowhere else.
      images: URL.canParse(address()) ? [new URL(address()).origin] : [],
      state: () => registry.view(),
      onDidChange: registry.onDidChange,
      parse: parseBrowseIntent,
      handle: intent => this.handle(intent),
    });
    this.page.onDidDispose(() => (this.page = undefined));
  }

  dispose(): void {
    this.page?.dispose();
  }

  private handle(intent: BrowseIntent): void {
    this.run(intent).catch((error: unknown) => {
      this.parts.logger.error(`"${intent.type}" of the registry failed`, error);
      const reason = error instanceof Error ? error.message : String(error);
      void showErrorMessage(vscode.l10n.t('Failed: {0}', reason));
    });
  }

  private async run(intent: BrowseIntent): Promise<void> {
    const { registry, start } = this.parts;
    switch (intent.type) {
      case 'ready':
      case 'refresh':
        return registry.refresh();
      case 'openSettings':
        await vscode.commands.executeCommand(
          'workbench.action.openSettings',
          'parley.registry.url',
        );
        return;
      case 'install':
        return registry.install(intent.id, intent.way);
      case 'cancel':
        return registry.cancel(intent.id);
      case 'use':
        return registry.use(intent.id, intent.version);
      case 'pin':
        return registry.pin(intent.id, intent.pinned);
      case 'uninstall':
        return registry.uninstall(intent.id);
      case 'start':
        return start(intent.id);
      case 'openWebsite': {
        const website = registry.agent(intent.id)?.website;
        if (website !== undefined) await vscode.env.openExternal(vscode.Uri.parse(website, true));
      }
    }
  }
}
