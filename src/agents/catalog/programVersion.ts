import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { LaunchSpec } from '../process/agentProcess';
import { runBriefly } from '../process/briefRun';
import type { ProcessTracker } from '../process/processTracker';

/** Programs of npm packages are this many folders below their package.json, or fewer. */
const MAX_FOLDERS = 4;
const TIMEOUT_MS = 5_000;

/** `1.2`, `1.2.3-beta.4`, `2026.08.11` */
const VERSION = /\d+\.\d+(?:\.\d+)*(?:[-+][\w.+-]+)?/;

/** The version that the npm package of `program` has, if it is of one. Nothing is started for it. */
export async function packageVersion(program: string): Promise<string | undefined> {
  let folder = dirname(await realpath(program).catch(() => program));
  for (let up = 0; up < MAX_FOLDERS && basename(folder) !== 'node_modules'; up++) {
    const version = await readVersion(join(folder, 'package.json'));
    if (version !== undefined) return version;
    folder = dirname(folder);
  }
  return undefined;
}

/** The version that `program` prints when it is asked with `args`. */
export async function printedVersion(
  program: Omit<LaunchSpec, 'args'>,
  args: readonly string[],
  processes: ProcessTracker,
): Promise<string | undefined> {
  const run = await runBriefly({ ...program, args }, processes, TIMEOUT_MS);
  if (run?.code !== 0) return undefined;
  return VERSION.exec(run.stdout)?.[0];
}

async function readVersion(file: string): Promise<string | undefined> {
  try {
    const { name, version } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    return typeof name === 'string' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
