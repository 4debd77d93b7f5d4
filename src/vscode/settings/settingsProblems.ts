import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Settings } from './settings';
import { showWarningMessage } from '../messages';

/** Shows once each setting that cannot be used; the default stands in for it. */
export class SettingsProblems implements Disposable {
  private readonly shown = new Set<string>();
  private readonly listener: Disposable;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {
    this.listener = settings.onDidChange(() => this.check());
    this.check();
  }

  dispose(): void {
    this.listener.dispose();
  }

  private check(): void {
    const fresh = this.settings.current.problems.filter(problem => !this.shown.has(problem));
    if (fresh.length === 0) return;
    for (const problem of fresh) {
      this.shown.add(problem);
      this.logger.warn(problem);
    }
    const open = vscode.l10n.t('Open Settings');
    void showWarningMessage(fresh.join(' '), open).then(answer => {
      if (answer !== open) return;
      void vscode.commands.executeCommand(
        'workbench.action.openSettings',
        '@ext:parley.parley-acp',
      );
    });
  }
}
