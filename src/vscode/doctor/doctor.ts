import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { checkAgent } from './checkAgent';
import { checkMachine } from './checkMachine';
import { endLeftovers, findLeftovers } from '../../agents/process/leftovers';
import type { Env } from '../../agents/process/environmentVariables';
import type { ProcessEntry } from '../../agents/process/processTable';
import type { ProcessTracker } from '../../agents/process/processTracker';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Agent } from '../../session/ports';
import type { DoctorSection, DoctorState, Finding } from '../../shared/doctorPage';
import type { AgentDirectory } from '../chats/panelSource';
import { doctorReport } from './doctorReport';

export interface DoctorParts {
  readonly agents: Pick<AgentDirectory, 'choices'>;
  readonly agent: (name: string) => Agent;
  readonly environment: { get(fresh?: boolean): Promise<Env> };
  readonly processes: ProcessTracker;
  /** Names and kinds of the configured MCP servers. */
  mcpServers(): Promise<readonly string[]>;
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted'>;
  readonly now: () => number;
  readonly version: string;
  /** Takes secrets out of a text. */
  readonly mask: (text: string) => string;
  readonly logger: Logger;
}

/** Looks at everything that agents need, when the user asks for it. */
export class Doctor implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private sections: readonly DoctorSection[] = [];
  private running: AbortController | undefined;
  private leftovers: readonly ProcessEntry[] = [];

  constructor(private readonly parts: DoctorParts) {}

  view(): DoctorState {
    const { mask } = this.parts;
    const sections = JSON.parse(mask(JSON.stringify(this.sections))) as readonly DoctorSection[];
    return { isRunning: this.running !== undefined, sections };
  }

  /** For a bug report: without secrets, and without the name of the user's folder. */
  report(): string {
    return doctorReport(this.parts.version, this.view().sections, homedir());
  }

  async run(): Promise<void> {
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.sections = [];
    this.changed.fire();
    const add = async (title: string, findings: Promise<readonly Finding[]>): Promise<void> => {
      const section = {
        title,
        findings: await findings.catch((error: unknown) => this.failed(error)),
      };
      if (running.signal.aborted) return;
      this.sections = [...this.sections, section];
      this.changed.fire();
    };
    const { agents, agent, now, trust } = this.parts;
    await add(vscode.l10n.t('This machine'), this.machine());
    await add(vscode.l10n.t('Processes'), Promise.resolve(this.processes()));
    await add(vscode.l10n.t('MCP servers'), this.mcp());
    if (!trust.isTrusted) await add(vscode.l10n.t('Workspace'), Promise.resolve([distrust()]));
    for (const { name, detail, offer } of agents.choices()) {
      if (running.signal.aborted || offer !== undefined) continue;
      await add(name, checkAgent({ agent: agent(name), detail, now, signal: running.signal }));
    }
    if (this.running !== running) return;
    this.running = undefined;
    this.changed.fire();
  }

  /** Ends what was found to be left over, and looks again. */
  async endProcesses(): Promise<void> {
    endLeftovers(this.leftovers);
    await this.run();
  }

  dispose(): void {
    this.running?.abort();
    this.changed.dispose();
  }

  private async machine(): Promise<readonly Finding[]> {
    const { environment, processes } = this.parts;
    const proxy = vscode.workspace.getConfiguration('http').get<unknown>('proxy');
    return checkMachine({
      env: await environment.get(true),
      home: homedir(),
      processes,
      remote: vscode.env.remoteName,
      proxySetting: typeof proxy === 'string' ? proxy : '',
      appRoot: vscode.env.appRoot,
    });
  }

  private processes(): Finding[] {
    if (process.platform !== 'linux') {
      return [
        {
          level: 'note',
          title: vscode.l10n.t('Processes that agents left running can be found only on Linux.'),
        },
      ];
    }
    this.leftovers = findLeftovers();
    if (this.leftovers.length === 0) {
      return [
        {
          level: 'ok',
          title: vscode.l10n.t('No processes are left from agents of earlier windows.'),
        },
      ];
    }
    const title = vscode.l10n.t(
      '{0} processes of agents from earlier windows are still running.',
      this.leftovers.length,
    );
    const detail = this.leftovers.map(({ pid }) => pid).join(', ');
    return [{ level: 'problem', title, detail, fix: 'endProcesses' }];
  }

  private async mcp(): Promise<readonly Finding[]> {
    const servers = await this.parts.mcpServers();
    const title =
      servers.length === 0
        ? vscode.l10n.t('No MCP servers are configured.')
        : vscode.l10n.t('{0} MCP servers are configured.', servers.length);
    return [{ level: 'note', title, ...(servers.length > 0 && { detail: servers.join('\n') }) }];
  }

  private failed(error: unknown): Finding[] {
    this.parts.logger.error('The doctor failed', error);
    return [{ level: 'problem', title: String(error), fix: 'showLog' }];
  }
}

function distrust(): Finding {
  return {
    level: 'problem',
    title: vscode.l10n.t('This workspace is not trusted, so only the demo can be started.'),
    fix: 'trust',
  };
}
