import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getVariable, type Env } from '../process/environmentVariables';
import type { SignInTraces } from './catalogAgent';

/** Whether the user has signed in to the agent, as far as its traces say; undefined where they say nothing. */
export function isSignedIn(
  traces: SignInTraces | undefined,
  env: Env,
  home: string,
  platform: NodeJS.Platform = process.platform,
): boolean | undefined {
  if (!traces) return undefined;
  if (traces.variables.some(name => getVariable(env, name, platform))) return true;
  if (traces.files.some(file => existsSync(join(home, file)))) return true;
  return traces.completeOn?.includes(platform) === true ? false : undefined;
}
