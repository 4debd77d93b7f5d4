import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { useLanguage } from './base/language';
import { compose } from './host/compose';
import type { Parley } from './host/compose';
import { Logs } from './vscode/logs';
import { showErrorMessage } from './vscode/messages';

let parley: Parley | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { bundle } = vscode.l10n;
  if (bundle) l10n.config({ contents: bundle });
  // The machine's language from the formats that cost least: those of dates take 10 ms to load.
  useLanguage(vscode.env.language, [new Intl.PluralRules().resolvedOptions().locale]);
  const logs = new Logs();
  context.subscriptions.push(logs);
  try {
    parley = compose(context, logs);
  } catch (error) {
    logs.main.error('Parley could not start', error);
    const showLog = vscode.l10n.t('Show Log');
    void showErrorMessage(vscode.l10n.t('Parley could not start. See the log.'), showLog).then(
      answer => {
        if (answer === showLog) logs.show();
      },
    );
  }
}

/** VS Code waits a few seconds for what this returns; nothing that Parley started may outlive it. */
export async function deactivate(): Promise<void> {
  const running = parley;
  parley = undefined;
  await running?.stop();
}
