import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import { parseDoctorIntent, type DoctorIntent, type Fix } from '../../shared/doctorPage';
import { showErrorMessage, showInformationMessage } from '../messages';
import { PagePanel } from '../pages/pagePanel';
import { Doctor, type DoctorParts } from './doctor';

/** Commands behind the buttons beside findings; `vscode.open` asks before it leaves the editor. */
const COMMANDS: Readonly<Record<Exclude<Fix, 'endProcesses'>, readonly string[]>> = {
  editAgents: ['parley.editAgents'],
  browseAgents: ['parley.browseAgents'],
  proxySettings: ['workbench.action.openSettings', 'http.proxy'],
  trust: ['workbench.trust.manage'],
  showLog: ['parley.showLog'],
  getNode: ['vscode.open', 'https://nodejs.org/en/download'],
  getUv: ['vscode.open', 'https://docs.astral.sh/uv/getting-started/installation/'],
  getGit: ['vscode.open', 'https://git-scm.com/downloads'],
  openTerminal: ['workbench.action.terminal.new'],
};

/** "Doctor": one tab, which looks again each time it is asked for. */
export class DoctorPage implements Disposable {
  private readonly doctor: Doctor;
  private page: PagePanel<DoctorIntent> | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly parts: DoctorParts,
  ) {
    this.doctor = new Doctor(parts);
  }

  open(): void {
    if (this.page) {
      this.page.reveal();
      this.handle({ type: 'again' });
      return;
    }
    const { doctor, extensionUri } = this;
    this.page = new PagePanel<DoctorIntent>({
      extensionUri,
      viewType: 'parley.doctor',
      title: vscode.l10n.t('Parley Doctor'),
      element: 'parley-doctor',
      state: () => doctor.view(),
      onDidChange: doctor.onDidChange,
      parse: parseDoctorIntent,
      handle: intent => this.handle(intent),
    });
    this.page.onDidDispose(() => (this.page = undefined));
  }

  dispose(): void {
    this.page?.dispose();
    this.doctor.dispose();
  }

  private handle(intent: DoctorIntent): void {
    this.run(intent).catch((error: unknown) => {
      this.parts.logger.error(`"${intent.type}" of the doctor failed`, error);
      const reason = error instanceof Error ? error.message : String(error);
      void showErrorMessage(vscode.l10n.t('Failed: {0}', reason));
    });
  }

  private async run(intent: DoctorIntent): Promise<void> {
    switch (intent.type) {
      case 'ready':
      case 'again':
        return this.doctor.run();
      case 'copy':
        await vscode.env.clipboard.writeText(this.doctor.report());
        void showInformationMessage(
          vscode.l10n.t('The report is copied. Read it before you share it.'),
        );
        return;
      case 'fix': {
        if (intent.fix === 'endProcesses') return this.doctor.endProcesses();
        const [command = '', ...args] = COMMANDS[intent.fix];
        await vscode.commands.executeCommand(command, ...args);
      }
    }
  }
}
