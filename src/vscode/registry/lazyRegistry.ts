import * as vscode from 'vscode';
import { lazy } from '../../base/lazy';
import type { Disposable } from '../../base/lifecycle';
import { showInformationMessage } from '../messages';
import type { BrowsePage } from './browsePage';
import type { Registry, RegistryParts } from './registry';

export interface LazyRegistryParts extends RegistryParts {
  readonly extensionUri: vscode.Uri;
  /** The user's storage. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
}

const LOOKED_AT = 'parley.registry.lookedAt';
const DAY_MS = 24 * 3_600_000;

/** The registry and its page, loaded with their first use. */
export class LazyRegistry implements Disposable {
  private page: BrowsePage | undefined;
  private registry: Registry | undefined;
  private readonly loaded = lazy(async () => {
    const { Registry } = await import('./registry');
    return (this.registry = new Registry(this.parts));
  });

  constructor(private readonly parts: LazyRegistryParts) {}

  /** Shows "Browse Agents". @param newChat starts a chat with the agent of that name */
  async open(newChat: (name: string) => Promise<unknown>): Promise<void> {
    const [registry, { BrowsePage }] = await Promise.all([this.loaded(), import('./browsePage')]);
    const { extensionUri, address, installed, logger } = this.parts;
    this.page ??= new BrowsePage({
      extensionUri,
      registry,
      address,
      async start(id) {
        const agent = installed.get(id);
        if (agent) await newChat(agent.name);
      },
      logger,
    });
    this.page.open();
  }

  /** Once a day, if something was installed from the registry: says which of it has a newer version. */
  async lookForUpdates(): Promise<void> {
    const { trust, installed, memory, now } = this.parts;
    if (!trust.isTrusted || installed.all().every(({ isPinned }) => isPinned)) return;
    const before = memory.get(LOOKED_AT);
    if (typeof before === 'number' && now() - before < DAY_MS) return;
    await memory.update(LOOKED_AT, now());
    const registry = await this.loaded();
    await registry.refresh();
    const updates = registry.updates();
    if (updates.length === 0) return;
    const names = updates.map(({ name, version }) => `${name} ${version}`).join(', ');
    const show = vscode.l10n.t('Show');
    const message = vscode.l10n.t('Newer versions of agents can be installed: {0}.', names);
    const answer = await showInformationMessage(message, show);
    if (answer === show) await vscode.commands.executeCommand('parley.browseAgents');
  }

  dispose(): void {
    this.page?.dispose();
    this.registry?.dispose();
  }
}
