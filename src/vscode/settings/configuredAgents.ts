import * as vscode from 'vscode';
import { AgentSupervisor } from '../../agents/supervisor';
import type { AgentSupervisorOptions } from '../../agents/supervisor';
import {
  builtInAgent,
  configuredSecrets,
  describeAgent,
  parseAgents,
} from '../../agents/definitions';
import type { AgentDefinition } from '../../agents/definitions';
import { Emitter } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Agent } from '../../session/ports';
import type { Problem } from '../../session/state/state';
import type { AgentChoice } from '../../shared/panelState';
import type { Logs } from '../logs';
import type { AgentDirectory } from '../chats/panelSource';
import { DEMO_AGENT } from './readSettings';
import { agentLimits } from './settings';
import type { Settings } from './settings';

export interface ConfiguredAgentsParts {
  readonly settings: Settings;
  readonly logs: Logs;
  /** `vscode.workspace` */
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted' | 'onDidGrantWorkspaceTrust'>;
  /** The built-in agent's program. */
  readonly demoScript: string;
  /** Where the built-in agent keeps its sessions. */
  readonly demoData: string;
  readonly host: Omit<AgentSupervisorOptions, 'tap' | 'onStderr' | 'settings'>;
}

/**
 * The agents of `parley.agents` and the built-in one. In an untrusted workspace only the built-in one can
 * be started. A chat keeps its agent: a changed setting counts from the agent's next start.
 */
export class ConfiguredAgents implements AgentDirectory, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly hosts = new Map<string, AgentSupervisor>();
  private definitions: readonly AgentDefinition[] = [];

  constructor(private readonly parts: ConfiguredAgentsParts) {
    this.read();
    this.disposables.add(parts.settings.onDidChange(() => this.reread()));
    this.disposables.add(parts.trust.onDidGrantWorkspaceTrust(() => this.reread()));
  }

  get defaultAgent(): string {
    const { defaultAgent } = this.parts.settings.current;
    return this.definitions.some(({ name }) => name === defaultAgent) ? defaultAgent : DEMO_AGENT;
  }

  choices(): readonly AgentChoice[] {
    return this.definitions.map(definition => ({
      name: definition.name,
      builtIn: definition.name === DEMO_AGENT,
      detail: detailOf(definition),
    }));
  }

  /** The agent of that name. One that is not configured (any more) says so when it is to be started. */
  agent(name: string): Agent {
    let host = this.hosts.get(name);
    if (!host) {
      const { settings, logs } = this.parts;
      host = new AgentSupervisor(this.definitionOf(name), {
        ...this.parts.host,
        settings: () => agentLimits(settings.current),
        tap: ({ direction, json }) => logs.traffic(name, direction, json),
        onStderr: line => logs.stderr(name, line),
        onSecrets: values => logs.masker.add(values),
      });
      this.hosts.set(name, host);
    }
    return host;
  }

  /** Stops every agent; resolves when nothing is left of them. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.hosts.values()].map(host => host.stop()));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private reread(): void {
    this.read();
    for (const [name, host] of this.hosts) host.redefine(this.definitionOf(name));
    this.changed.fire();
  }

  private read(): void {
    const { settings, logs, demoScript, demoData, trust } = this.parts;
    const configured = parseAgents(settings.current.agents).filter(
      ({ name }) => name !== DEMO_AGENT,
    );
    for (const definition of configured) logs.masker.add(configuredSecrets(definition));
    const own = trust.isTrusted ? configured : [];
    this.definitions = [...own, builtInAgent(DEMO_AGENT, demoScript, demoData)];
  }

  private definitionOf(name: string): AgentDefinition {
    return (
      this.definitions.find(definition => definition.name === name) ??
      missing(name, this.parts.trust.isTrusted)
    );
  }
}

function detailOf(definition: AgentDefinition): string {
  if (definition.name === DEMO_AGENT) {
    return vscode.l10n.t('Built in. Needs no key and no network.');
  }
  return definition.kind === 'unusable' ? definition.problem.title : describeAgent(definition);
}

function missing(name: string, trusted: boolean): AgentDefinition {
  const problem: Problem = trusted
    ? {
        kind: 'badConfiguration',
        title: vscode.l10n.t('{0} is no longer configured', name),
        detail: vscode.l10n.t(
          'There is no entry of that name in the setting "parley.agents". Add it again, or start a new chat with another agent.',
        ),
        output: [],
        actions: ['editAgents', 'retry', 'newChat'],
      }
    : {
        kind: 'badConfiguration',
        title: vscode.l10n.t('This workspace is not trusted'),
        detail: vscode.l10n.t(
          'Agents are programs that read and change files. Trust the workspace to use {0}, or start a new chat with {1}.',
          name,
          DEMO_AGENT,
        ),
        output: [],
        actions: ['retry', 'newChat'],
      };
  return { kind: 'unusable', name, problem };
}
