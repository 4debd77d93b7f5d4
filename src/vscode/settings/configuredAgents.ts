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
import type { AgentSearch } from '../agents/agentSearch';
import { choiceOfFound, choiceOfOffer, isSameAgent } from '../agents/agentChoices';
import { foundDefinition } from '../../agents/catalog/foundAgent';
import type { AgentOffer, FoundAgent } from '../../agents/catalog/foundAgent';
import { installedDefinition } from '../../agents/registry/installedAgents';
import type { InstalledAgents } from '../../agents/registry/installedAgents';
import { Emitter } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Replay } from '../../agents/backends/recording/replay';
import type { ChatServices } from '../../session/chats';
import type { Agent } from '../../session/ports';
import type { Problem } from '../../session/state/state';
import type { AgentForm } from '../../shared/intents';
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
  /** Agents that were installed from the registry. */
  readonly installed?: Pick<InstalledAgents, 'all' | 'onDidChange'>;
  /** Agents that no setting names. */
  readonly search?: Pick<AgentSearch, 'found' | 'offers' | 'isThere' | 'search' | 'onDidChange'>;
  readonly host: Omit<AgentSupervisorOptions, 'tap' | 'onStderr' | 'settings'>;
}

/**
 * The agents of `parley.agents`, those found on this machine, and the built-in one. In an untrusted workspace only the built-in one can
 * be started. A chat keeps its agent: a changed setting counts from the agent's next start.
 */
export class ConfiguredAgents implements AgentDirectory, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly hosts = new Map<string, AgentSupervisor>();
  /** Recordings that are played, by name. */
  private readonly replays = new Map<string, Replay>();
  private definitions: readonly AgentDefinition[] = [];
  private found: readonly FoundAgent[] = [];
  private offers: readonly AgentOffer[] = [];

  constructor(private readonly parts: ConfiguredAgentsParts) {
    this.read();
    this.disposables.add(parts.settings.onDidChange(() => this.reread()));
    this.disposables.add(parts.trust.onDidGrantWorkspaceTrust(() => this.reread()));
    for (const source of [parts.search, parts.installed]) {
      if (source) this.disposables.add(source.onDidChange(() => this.reread()));
    }
  }

  get defaultAgent(): string {
    const { defaultAgent } = this.parts.settings.current;
    return this.definitions.some(({ name }) => name === defaultAgent) ? defaultAgent : DEMO_AGENT;
  }

  choices(): readonly AgentChoice[] {
    const own = this.definitions.map(definition => {
      const found = this.found.find(({ name }) => name === definition.name);
      return found ? choiceOfFound(found) : this.choiceOf(definition);
    });
    return [...own, ...this.offers.map(choiceOfOffer)];
  }

  async search(): Promise<void> {
    await this.parts.search?.search(true);
  }

  async accept(name: string): Promise<boolean> {
    const offer = this.offers.find(other => other.name === name);
    if (!offer) return false;
    const { acceptOffer } = await import('../agents/acceptOffer');
    if (!(await acceptOffer(offer))) return false;
    await this.configured(name);
    return true;
  }

  async add(form: AgentForm): Promise<boolean> {
    // Nothing but the built-in agent can be started: the page offers it nowhere.
    if (!this.parts.trust.isTrusted) return false;
    const { addFromForm } = await import('../agents/addFromForm');
    const { secrets } = this.parts.host;
    const isAdded = await addFromForm(form, {
      isTaken: name => this.choices().some(other => other.name === name),
      async keep(variables) {
        await secrets?.add(form.name, variables);
      },
    });
    if (isAdded) await this.configured(form.name);
    return isAdded;
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
        mask: logs.masker.mask,
      });
      this.hosts.set(name, host);
    }
    return host;
  }

  /** Makes a recording an agent that plays it. It is no choice for other chats. */
  addReplay(replay: Replay): void {
    this.replays.set(replay.definition.name, replay);
  }

  forgetReplay(name: string): void {
    if (this.replays.delete(name)) this.hosts.delete(name);
  }

  /** What chats with that agent have instead of the machine, when it plays a recording. */
  instead(name: string): Partial<ChatServices> | undefined {
    return this.replays.get(name)?.instead;
  }

  isTaken(name: string): boolean {
    return this.replays.has(name) || this.definitions.some(other => other.name === name);
  }

  /** Stops every agent; resolves when nothing is left of them. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.hosts.values()].map(host => host.stop()));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Settles when what was written into the settings counts. */
  private async configured(name: string): Promise<void> {
    const isThere = (): boolean => this.definitions.some(other => other.name === name);
    if (isThere()) return;
    await new Promise<void>(resolve => {
      const listener = this.onDidChange(() => {
        if (!isThere()) return;
        listener.dispose();
        resolve();
      });
    });
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
    const names = new Set(configured.map(({ name }) => name));
    const installed = (this.parts.installed?.all() ?? [])
      .flatMap(installedDefinition)
      .filter(({ name }) => name !== DEMO_AGENT && !names.has(name));
    const own = trust.isTrusted ? [...configured, ...installed] : [];
    const { found = [], offers = [] } = this.parts.search ?? {};
    this.found = found.filter(agent => !own.some(other => isSameAgent(other, agent)));
    const definitions = [...own, ...this.found.map(foundDefinition)];
    this.offers = offers.filter(offer => !definitions.some(other => isSameAgent(other, offer)));
    this.definitions = [...definitions, builtInAgent(DEMO_AGENT, demoScript, demoData)];
  }

  private choiceOf(definition: AgentDefinition): AgentChoice {
    const { name } = definition;
    const found = this.parts.search?.isThere(name);
    return {
      name,
      builtIn: name === DEMO_AGENT,
      detail: detailOf(definition),
      ...(found !== undefined && { found }),
    };
  }

  private definitionOf(name: string): AgentDefinition {
    return (
      this.replays.get(name)?.definition ??
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
        title: vscode.l10n.t('{0} is no longer in your settings', name),
        detail: vscode.l10n.t(
          'There is no entry with this name in the setting "parley.agents". Add it again, or start a new chat with another agent.',
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
