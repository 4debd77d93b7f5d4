import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Env } from '../process/environmentVariables';
import { resolveCommand } from '../process/commandResolution';
import type { ProcessTracker } from '../process/processTracker';
import { download } from './download';
import { FetchError } from './httpGet';
import { stagingName, type InstalledAgents, type InstalledVersion } from './installedAgents';
import { npmInstall, packageProgram } from './npmInstall';
import type { BinaryWay, PackageWay, RegistryAgent, Way } from './registryList';
import { archiveFormat, unpack } from './unpack/unpack';

export interface InstallerOptions {
  readonly installed: InstalledAgents;
  readonly environment: { get(fresh?: boolean): Promise<Env> };
  readonly processes: ProcessTracker;
  readonly now: () => number;
  readonly newId: () => string;
  /** For each answer of a server, and between pieces of one, in milliseconds. */
  readonly stallMs?: number;
}

export interface InstallProgress {
  readonly step: 'downloading' | 'unpacking' | 'npm';
  readonly fraction?: number;
}

/** What is started, with a path below the version's folder where it is in there. */
interface Program {
  readonly command: string;
  readonly isInFolder: boolean;
  readonly args: readonly string[];
}

/** Installs agents from the registry. What fails or is cancelled leaves nothing behind. */
export class Installer {
  constructor(private readonly options: InstallerOptions) {}

  /** @throws Error in the user's words; the signal's reason when aborted */
  async install(
    agent: RegistryAgent,
    way: Way,
    signal: AbortSignal,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<void> {
    const { installed, newId, now } = this.options;
    await installed.clean();
    const staging = join(installed.root, stagingName(newId()));
    const folder = installed.folder(agent.id, agent.version);
    await mkdir(staging, { recursive: true });
    try {
      const program = await this.prepare(way, staging, signal, onProgress);
      signal.throwIfAborted();
      const { command, isInFolder, args } = program;
      await rm(folder, { recursive: true, force: true });
      await mkdir(dirname(folder), { recursive: true });
      await rename(join(staging, CONTENT), folder);
      const version: InstalledVersion = {
        version: agent.version,
        kind: way.kind,
        command: isInFolder ? join(folder, ...command.split('/')) : command,
        args,
        env: way.env,
        installedAt: now(),
      };
      installed.add(agent.id, agent.name, version);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  private async prepare(
    way: Way,
    staging: string,
    signal: AbortSignal,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<Program> {
    const content = join(staging, CONTENT);
    await mkdir(content);
    switch (way.kind) {
      case 'binary':
        await this.binary(way, staging, content, signal, onProgress);
        return { command: way.command, isInFolder: true, args: way.args };
      case 'npx': {
        onProgress({ step: 'npm' });
        const env = await this.options.environment.get(true);
        await npmInstall(way.package, content, env, this.options.processes, signal);
        const command = await packageProgram(way.package, content, way.command);
        return { command, isInFolder: true, args: way.args };
      }
      case 'uvx':
        return this.uvx(way, content);
    }
  }

  private async binary(
    way: BinaryWay,
    staging: string,
    content: string,
    signal: AbortSignal,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<void> {
    const { stallMs } = this.options;
    const format = archiveFormat(way.archive);
    const archive = join(staging, 'archive');
    onProgress({ step: 'downloading' });
    await download(way.archive, archive, {
      signal,
      ...(stallMs !== undefined && { stallMs }),
      ...(way.sha256 !== undefined && { sha256: way.sha256 }),
      onProgress: (_received, fraction) =>
        onProgress({ step: 'downloading', ...(fraction !== undefined && { fraction }) }),
    });
    onProgress({ step: 'unpacking' });
    await unpack(archive, format, content, way.command, signal);
  }

  /** uvx keeps each version itself, and downloads it with its first start. */
  private async uvx({ package: name, command, args }: PackageWay, cwd: string): Promise<Program> {
    const uvx = await resolveCommand('uvx', await this.options.environment.get(true), cwd);
    if (uvx.kind !== 'found') {
      throw new FetchError(l10n.t('uvx was not found. Install uv, then try again.'));
    }
    const what = command === undefined ? [name] : ['--from', name, command];
    return { command: 'uvx', isInFolder: false, args: [...what, ...args] };
  }
}

const CONTENT = 'content';
