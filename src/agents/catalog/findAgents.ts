import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import { inParallel } from '../../base/inParallel';
import { resolveCommand } from '../process/commandResolution';
import { getVariable, mergeEnv, type Env } from '../process/environmentVariables';
import type { ProcessTracker } from '../process/processTracker';
import type { CatalogAgent } from './catalogAgent';
import type { AgentOffer, FoundAgent } from './foundAgent';
import { packageVersion, printedVersion } from './programVersion';
import { isSignedIn } from './signedIn';

export interface FinderOptions {
  readonly catalog: readonly CatalogAgent[];
  /** The login shell's environment: its PATH is looked through. */
  readonly env: Env;
  readonly home: string;
  /** What was found the last time. */
  readonly known: readonly FoundAgent[];
  readonly processes: ProcessTracker;
}

export interface Findings {
  /** In the catalog's order. */
  readonly found: readonly FoundAgent[];
  /** Those that `npx` can run, where it is here; half there first. */
  readonly offers: readonly AgentOffer[];
}

/** A slow disk is asked for a few programs at a time. */
const AT_ONCE = 4;

/** Looks for the agents of the catalog along the PATH. Nothing is downloaded, and no agent is started. */
export async function findAgents(options: FinderOptions): Promise<Findings> {
  const { catalog, home } = options;
  const env = withAbsolutePath(options.env);
  const programs = new Map<string, string>();
  const wanted = catalog.flatMap(({ command, adapts }) => [command, ...(adapts ? [adapts] : [])]);
  await inParallel(
    ['npx', ...wanted],
    async command => {
      const found = await resolveCommand(command, env, home);
      if (found.kind === 'found') programs.set(command, found.path);
    },
    AT_ONCE,
  );
  const found = new Map<string, FoundAgent>();
  await inParallel(
    catalog,
    async agent => {
      const path = programs.get(agent.command);
      const own = agent.kind && programs.get(agent.adapts ?? '');
      if (path !== undefined) found.set(agent.id, await describe(agent, path, env, options));
      else if (own !== undefined)
        found.set(agent.id, await describe(itself(agent), own, env, options));
    },
    AT_ONCE,
  );
  const offers = catalog.flatMap(({ id, name, npm, args, adapts }): AgentOffer[] => {
    if (npm === undefined || found.has(id) || !programs.has('npx')) return [];
    const isHalfThere = adapts !== undefined && programs.has(adapts);
    return [
      { name, command: 'npx', args: ['-y', npm, ...args], env: {}, from: 'npm', isHalfThere },
    ];
  });
  return {
    found: catalog.flatMap(({ id }) => found.get(id) ?? []),
    offers: [...offers].sort((a, b) => Number(b.isHalfThere) - Number(a.isHalfThere)),
  };
}

/** The agent's own program in place of its adapter. */
function itself(agent: CatalogAgent): OwnProgram {
  return { ...agent, args: [], versionArgs: ['--version'], hosted: agent.kind };
}

type OwnProgram = CatalogAgent & { readonly hosted?: CatalogAgent['kind'] };

async function describe(
  agent: OwnProgram,
  path: string,
  env: Env,
  { home, known, processes }: FinderOptions,
): Promise<FoundAgent> {
  const { id, name, args, versionArgs, signIn, hosted } = agent;
  const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  const before = known.find(
    other => other.id === id && other.path === path && other.changedAt === changedAt,
  );
  // A package's own file changes with each update, also where the program beside it stays the same.
  let version = await packageVersion(path);
  if (version === undefined) {
    version =
      before?.version ??
      (versionArgs &&
        (await printedVersion({ command: path, env, cwd: home }, versionArgs, processes)));
  }
  const signedIn = isSignedIn(signIn, env, home);
  return {
    id,
    name,
    path,
    args,
    changedAt,
    ...(hosted && { kind: hosted }),
    ...(version !== undefined && { version }),
    ...(signedIn !== undefined && { signedIn }),
  };
}

/** A relative folder on the PATH is whatever folder one happens to be in: nothing is taken from there. */
function withAbsolutePath(env: Env): Env {
  const folders = (getVariable(env, 'PATH') ?? '').split(delimiter).filter(isAbsolute);
  return mergeEnv(env, { PATH: folders.join(delimiter) });
}
