import * as path from 'node:path';
import type * as vscode from 'vscode';
import type { Env } from '../../agents/process/environmentVariables';
import type { ProcessTracker } from '../../agents/process/processTracker';
import { FetchError, hostOf } from '../../agents/registry/httpGet';
import type { InstalledAgents } from '../../agents/registry/installedAgents';
import { Installer, type InstallProgress } from '../../agents/registry/installer';
import { RegistryClient, type RegistryList } from '../../agents/registry/registryClient';
import type { RegistryAgent } from '../../agents/registry/registryList';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { BrowseState } from '../../shared/browsePage';
import { browseAgent, updateOf, type Activity } from './browseView';

export interface RegistryParts {
  readonly installed: InstalledAgents;
  /** Address of the list; empty when the user wants none. */
  readonly address: () => string;
  /** `vscode.workspace` */
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted'>;
  readonly environment: { get(fresh?: boolean): Promise<Env> };
  readonly processes: ProcessTracker;
  readonly now: () => number;
  readonly newId: () => string;
  readonly logger: Logger;
}

const IDLE: Activity = {};

/** The list of agents, and what the user does with it. Nothing is fetched before somebody asks. */
export class Registry implements Disposable {
  private readonly changed = new Emitter<void>();
  /** What the page shows is another thing. */
  readonly onDidChange = this.changed.event;
  private readonly client: RegistryClient;
  private readonly installer: Installer;
  private readonly activities = new Map<string, Activity>();
  private list: RegistryList | undefined;
  private problem: string | undefined;
  private fetching: AbortController | undefined;

  constructor(private readonly parts: RegistryParts) {
    const { installed, now } = parts;
    this.client = new RegistryClient({
      file: path.join(installed.root, '..', 'registry.json'),
      now,
    });
    this.installer = new Installer(parts);
  }

  view(): BrowseState {
    const { address, trust, installed } = this.parts;
    const { list, problem } = this;
    const here = installed.all();
    const agents = (list?.agents ?? []).map(agent =>
      browseAgent(
        agent,
        here.find(({ id }) => id === agent.id),
        this.activities.get(agent.id) ?? IDLE,
      ),
    );
    const reason = problem ?? list?.problem;
    return {
      state: !trust.isTrusted
        ? 'untrusted'
        : address() === ''
          ? 'off'
          : this.fetching
            ? 'loading'
            : 'ready',
      source: hostOf(address()),
      agents: this.mayFetch ? agents : [],
      ...(list && { fetchedAt: list.fetchedAt }),
      ...(reason !== undefined && { problem: reason }),
    };
  }

  agent(id: string): RegistryAgent | undefined {
    return this.list?.agents.find(agent => agent.id === id);
  }

  /** Fetches the list; until it is there, the last one is shown. */
  async refresh(): Promise<void> {
    if (!this.mayFetch || this.fetching) return;
    const address = this.parts.address();
    const fetching = new AbortController();
    this.fetching = fetching;
    this.list = await this.client.last(address);
    this.changed.fire();
    try {
      this.list = await this.client.fetch(address, fetching.signal);
      this.problem = undefined;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      this.problem = error.message;
    } finally {
      this.fetching = undefined;
      this.changed.fire();
    }
  }

  /** Installs the listed version, which becomes the current one. @param way its place among the agent's */
  async install(id: string, way: number): Promise<void> {
    const agent = this.agent(id);
    const chosen = agent?.ways[way];
    if (!agent || !chosen || !this.mayFetch || this.activities.get(id)?.abort) return;
    const abort = new AbortController();
    const report = (progress?: InstallProgress): void => {
      this.activities.set(id, { abort, ...(progress && { progress }) });
      this.changed.fire();
    };
    report();
    try {
      await this.installer.install(agent, chosen, abort.signal, report);
      this.activities.delete(id);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (!abort.signal.aborted) this.parts.logger.error(`Installing ${id} failed`, error);
      this.activities.set(id, abort.signal.aborted ? IDLE : { problem });
    }
    this.changed.fire();
  }

  cancel(id: string): void {
    this.activities.get(id)?.abort?.abort();
  }

  use(id: string, version: string): void {
    this.parts.installed.change(id, { current: version });
    this.changed.fire();
  }

  pin(id: string, isPinned: boolean): void {
    this.parts.installed.change(id, { isPinned });
    this.changed.fire();
  }

  async uninstall(id: string): Promise<void> {
    await this.parts.installed.remove(id);
    this.changed.fire();
  }

  /** Names of the agents of which the list has another version than the newest here. */
  updates(): readonly { readonly id: string; readonly name: string; readonly version: string }[] {
    return this.parts.installed.all().flatMap(installed => {
      const listed = this.agent(installed.id);
      const version = listed && updateOf(installed, listed.version);
      return version === undefined ? [] : [{ id: installed.id, name: installed.name, version }];
    });
  }

  dispose(): void {
    this.fetching?.abort();
    for (const { abort } of this.activities.values()) abort?.abort();
    this.changed.dispose();
  }

  private get mayFetch(): boolean {
    return this.parts.trust.isTrusted && this.parts.address() !== '';
  }
}
