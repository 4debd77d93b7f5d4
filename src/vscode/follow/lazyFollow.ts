import * as vscode from 'vscode';
import { lazy } from '../../base/lazy';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { FollowAgent, FollowedChats } from './followAgent';
import { watchValue } from '../settings/watchValue';
import { isFollowOn } from './followSetting';

/** Following the agent, loaded once it is on. */
export class LazyFollow implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly load: () => Promise<FollowAgent>;

  /** The parameters are those of `FollowAgent`. */
  constructor(
    chats: FollowedChats,
    current: () => string | undefined,
    roots: () => readonly string[],
    private readonly logger: Logger,
  ) {
    this.load = lazy(async () => {
      const { FollowAgent } = await import('./followAgent');
      return this.disposables.add(new FollowAgent(chats, current, roots));
    });
    this.disposables.add(
      watchValue(vscode.workspace.onDidChangeConfiguration, isFollowOn, () => this.loadIfOn()),
    );
    this.loadIfOn();
  }

  async toggle(): Promise<void> {
    await (await this.load()).toggle();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private loadIfOn(): void {
    if (!isFollowOn()) return;
    this.load().catch((error: unknown) => this.logger.error('Following was not loaded', error));
  }
}
