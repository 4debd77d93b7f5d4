import type * as vscode from 'vscode';
import type { AgentOffer, FoundAgent } from '../../agents/catalog/foundAgent';
import type { AgentDefinition } from '../../agents/definitions';
import type { Env } from '../../agents/process/environmentVariables';
import type { ProcessTracker } from '../../agents/process/processTracker';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';

export interface AgentSearchParts {
  /** `vscode.workspace`: nothing is looked for where nothing may be started. */
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted'>;
  readonly environment: { get(fresh?: boolean): Promise<Env> };
  readonly processes: ProcessTracker;
  /** The user's storage: a window shows at once what an earlier one has found. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  /** Tells machines apart: the storage is the same for local and remote windows. */
  readonly machine: string;
  /** The agents of the settings. */
  readonly configured: () => readonly AgentDefinition[];
  readonly workspaceFolder: () => string | undefined;
  readonly now: () => number;
  readonly logger: Logger;
}

interface Remembered {
  readonly found: readonly FoundAgent[];
  readonly offers: readonly AgentOffer[];
}

const KEY = 'parley.foundAgents';
const NOTHING: Remembered = { found: [], offers: [] };

/** After this time the user may have installed something. */
const LASTS_MS = 10 * 60_000;

/** What is installed on this machine, looked for in the background and remembered. */
export class AgentSearch implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private current: Remembered;
  private imports: readonly AgentOffer[] = [];
  private readonly there = new Map<string, boolean>();
  private running: Promise<void> | undefined;
  private lastAt: number | undefined;

  constructor(private readonly parts: AgentSearchParts) {
    this.current = this.remembered()[parts.machine] ?? NOTHING;
  }

  get found(): readonly FoundAgent[] {
    return this.parts.trust.isTrusted ? this.current.found : [];
  }

  get offers(): readonly AgentOffer[] {
    return this.parts.trust.isTrusted ? [...this.imports, ...this.current.offers] : [];
  }

  /** Whether the command of that agent of the settings is there; undefined until it was looked for. */
  isThere(name: string): boolean | undefined {
    return this.there.get(name);
  }

  /** Looks, unless that was done lately. */
  refresh(): Promise<void> {
    const { now } = this.parts;
    if (this.lastAt !== undefined && now() - this.lastAt < LASTS_MS) return Promise.resolve();
    return this.search();
  }

  /** @param isFresh the user may have installed something just now: the shell is asked again for its PATH */
  search(isFresh = false): Promise<void> {
    if (!this.parts.trust.isTrusted) return Promise.resolve();
    this.running ??= this.look(isFresh)
      .catch((error: unknown) => this.parts.logger.error('Looking for agents failed', error))
      .finally(() => (this.running = undefined));
    return this.running;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async look(isFresh: boolean): Promise<void> {
    const { environment, processes, configured, workspaceFolder, now } = this.parts;
    const [env, { searchAgents }] = await Promise.all([
      environment.get(isFresh),
      import('./searchAgents'),
    ]);
    const result = await searchAgents({
      env,
      processes,
      known: this.current.found,
      configured: configured(),
      workspaceFolder: workspaceFolder(),
    });
    this.lastAt = now();
    this.there.clear();
    for (const [name, isThere] of result.there) this.there.set(name, isThere);
    this.imports = result.imports;
    const { found, offers } = result;
    if (JSON.stringify(this.current) !== JSON.stringify({ found, offers })) {
      this.current = { found, offers };
      await this.parts.memory.update(KEY, {
        ...this.remembered(),
        [this.parts.machine]: this.current,
      });
    }
    this.changed.fire();
  }

  private remembered(): Readonly<Record<string, Remembered | undefined>> {
    return this.parts.memory.get(KEY) ?? {};
  }
}
