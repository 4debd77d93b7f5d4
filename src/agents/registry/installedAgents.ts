import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../../base/event';
import type { StdioAgent } from '../definitions';
import type { Way } from './registryList';
import { isAgentId, isVersion } from './registryNames';

/** One version of an agent, as it was installed. */
export interface InstalledVersion {
  readonly version: string;
  readonly kind: Way['kind'];
  /** Absolute path, or the name of a program on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installedAt: number;
}

export interface InstalledAgent {
  readonly id: string;
  readonly name: string;
  /** The version that is started. */
  readonly current: string;
  /** The user wants no newer one. */
  readonly isPinned: boolean;
  /** The newest first. */
  readonly versions: readonly InstalledVersion[];
}

const FILE = 'installed.json';
/** In the name of one that made no sense. */
const APART = '.unreadable-';
const STAGING = /^\.new-(\d+)-/;

/**
 * The agents that were installed from the registry: a folder each, and in it one for each version. The file beside
 * them says which are whole; it is read before each change, because other windows write it too.
 */
export class InstalledAgents {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /** @param root the folder of all; it need not exist */
  constructor(readonly root: string) {}

  all(): readonly InstalledAgent[] {
    try {
      return (this.read() ?? []).filter(isInstalledAgent);
    } catch {
      return [];
    }
  }

  get(id: string): InstalledAgent | undefined {
    return this.all().find(agent => agent.id === id);
  }

  /** Where that version is, or will be. */
  folder(id: string, version: string): string {
    return join(this.root, id, version);
  }

  /** Makes `version` the current one, beside those that are there. */
  add(id: string, name: string, version: InstalledVersion): void {
    const before = this.get(id);
    const others = before?.versions.filter(other => other.version !== version.version) ?? [];
    this.put({
      ...before,
      id,
      name,
      current: version.version,
      isPinned: before?.isPinned ?? false,
      versions: [version, ...others],
    });
  }

  change(id: string, change: Partial<Pick<InstalledAgent, 'current' | 'isPinned'>>): void {
    const before = this.get(id);
    if (!before) return;
    const { current = before.current } = change;
    if (before.versions.some(({ version }) => version === current))
      this.put({ ...before, ...change });
  }

  async remove(id: string): Promise<void> {
    if (!this.get(id)) return;
    this.write(id);
    await rm(join(this.root, id), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Removes what installations left that were killed on the way. */
  async clean(): Promise<void> {
    for (const name of await readdir(this.root).catch(() => [])) {
      const pid = STAGING.exec(name)?.[1];
      if (pid !== undefined && !isRunning(Number(pid))) {
        await rm(join(this.root, name), { recursive: true, force: true });
      }
    }
  }

  private put(agent: InstalledAgent): void {
    this.write(agent.id, agent);
  }

  /** Replaces what is known of that agent. All else stays, also what only another version can read. */
  private write(id: string, ...agents: readonly InstalledAgent[]): void {
    const file = join(this.root, FILE);
    const before = this.read();
    const isOther = (entry: unknown): boolean => (entry as { id?: unknown } | null)?.id !== id;
    mkdirSync(this.root, { recursive: true });
    if (!before) renameSync(file, `${file}${APART}${Date.now()}`);
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, JSON.stringify([...(before?.filter(isOther) ?? []), ...agents], null, 2));
    renameSync(fresh, file);
    this.changed.fire();
  }

  /** @returns undefined for a file that makes no sense @throws where it cannot be read */
  private read(): readonly unknown[] | undefined {
    let text: string;
    try {
      text = readFileSync(join(this.root, FILE), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    try {
      const read = JSON.parse(text) as unknown;
      return Array.isArray(read) ? read : undefined;
    } catch {
      return undefined;
    }
  }
}

/** @param unique another for each install of one process */
export function stagingName(unique: string): string {
  return `.new-${process.pid}-${unique}`;
}

export function installedDefinition({ name, current, versions }: InstalledAgent): StdioAgent[] {
  const version = versions.find(other => other.version === current);
  if (!version) return [];
  const { command, args, env } = version;
  return [{ kind: 'stdio', name, command, args, env, environment: 'loginShell' }];
}

function isInstalledAgent(value: unknown): value is InstalledAgent {
  const { id, name, current, versions } = (value ?? {}) as Partial<InstalledAgent>;
  return (
    isAgentId(id) &&
    typeof name === 'string' &&
    typeof current === 'string' &&
    Array.isArray(versions) &&
    versions.every(
      ({ version, command }: InstalledVersion) => isVersion(version) && typeof command === 'string',
    )
  );
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
