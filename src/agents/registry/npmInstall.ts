import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { orAborted } from '../../base/orAborted';
import { AgentProcess } from '../process/agentProcess';
import { resolveCommand } from '../process/commandResolution';
import type { Env } from '../process/environmentVariables';
import type { ProcessTracker } from '../process/processTracker';
import { FetchError } from './httpGet';

/** What npm says less of, and what it would ask its server for besides. */
const OPTIONS = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/** Installs a package and all it needs into `folder`, with the user's npm and its settings. */
export async function npmInstall(
  spec: string,
  folder: string,
  env: Env,
  processes: ProcessTracker,
  signal: AbortSignal,
): Promise<void> {
  const npm = await resolveCommand('npm', env, folder);
  if (npm.kind !== 'found') {
    throw new FetchError(l10n.t('npm was not found. Install Node.js, then try again.'));
  }
  signal.throwIfAborted();
  const running = await AgentProcess.start(
    {
      command: npm.path,
      args: ['install', '--prefix', folder, ...OPTIONS, spec],
      env,
      cwd: folder,
    },
    processes,
  );
  running.stdin.end();
  running.stdout.resume();
  try {
    const { code } = await orAborted(running.drained, signal);
    if (code !== 0) {
      throw new FetchError(
        l10n.t('npm could not install {0}: {1}', spec, running.stderrTail().join('\n')),
      );
    }
  } finally {
    await running.stop();
  }
}

/**
 * The program of an installed package that npx would run: the one that is asked for, the only one, or the one named
 * like the package. @returns its path below the folder, with forward slashes
 */
export async function packageProgram(
  spec: string,
  folder: string,
  wanted: string | undefined,
): Promise<string> {
  const name = spec.slice(0, spec.lastIndexOf('@'));
  const file = join(folder, 'node_modules', ...name.split('/'), 'package.json');
  const { bin } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly bin?: string | Readonly<Record<string, string>>;
  };
  const short = name.split('/').at(-1) ?? name;
  const programs = typeof bin === 'string' ? [short] : Object.keys(bin ?? {});
  const targets = new Set(typeof bin === 'object' ? Object.values(bin) : []);
  const isOne = programs.length === 1 || targets.size === 1;
  const program = wanted ?? (isOne ? programs[0] : programs.find(other => other === short));
  if (program === undefined || !programs.includes(program) || !/^[\w][\w.-]*$/.test(program)) {
    throw new FetchError(l10n.t('The package {0} has no program to run.', spec));
  }
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  return `node_modules/.bin/${program}${suffix}`;
}
