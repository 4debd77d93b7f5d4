/** A program that is an agent without speaking ACP: that it is there, and new enough. */
import * as l10n from '@vscode/l10n';
import { AgentError } from '../../../session/ports';
import type { Problem } from '../../../session/state/state';
import type { Start } from '../../backend';
import type { LaunchSpec } from '../../process/agentProcess';
import { runBriefly } from '../../process/briefRun';
import { formatCommandLine } from '../../process/commandLine';
import { problem } from '../../problems';
import { limitsOf } from '../acp/agentLimits';

export interface Product {
  /** What users call it. */
  readonly title: string;
  /** What installs it, and what brings it up to date. */
  readonly install: string;
  readonly update: string;
  /** What `--version` prints, with the three numbers. */
  readonly version: RegExp;
  /** The first version that has all that is asked of it. */
  readonly least: readonly [number, number, number];
}

/** What `find` finds. @throws AgentError that says how to install the product where it is not there */
export async function installed<T>({ install, title }: Product, find: () => Promise<T>) {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof AgentError) || error.problem.kind !== 'commandNotFound') throw error;
    const detail = l10n.t(
      'Install {0} with "{1}", or correct "command" in the setting "parley.agents", then try again.',
      title,
      install,
    );
    throw new AgentError({ ...error.problem, detail });
  }
}

/**
 * @param name the agent's, for users
 * @throws AgentError for a program that is something else, or too old
 */
export async function checkedVersion(
  product: Product,
  name: string,
  spec: LaunchSpec,
  { host }: Start,
): Promise<string> {
  const asked = { ...spec, args: [...spec.args, '--version'] };
  const { initializeSeconds } = limitsOf(host.settings());
  const run = await runBriefly(asked, host.processes, initializeSeconds * 1000);
  const [version, ...numbers] = product.version.exec(run?.stdout ?? '') ?? [];
  if (version === undefined) {
    const commandLine = formatCommandLine(asked.command, asked.args);
    const output = [...(run?.stdout.split('\n') ?? []), ...(run?.stderr ?? [])].filter(Boolean);
    throw new AgentError(another(product, name, commandLine, output));
  }
  const difference = numbers
    .map((part, index) => Number(part) - (product.least[index] ?? 0))
    .find(each => each !== 0);
  const plain = numbers.join('.');
  if ((difference ?? 0) < 0) throw new AgentError(tooOld(product, name, plain));
  return plain;
}

function tooOld({ title, least, update }: Product, agent: string, version: string): Problem {
  return problem('unsupportedVersion', {
    title: l10n.t('{0} is too old', agent),
    detail: [
      l10n.t('It is {0} {1}; Parley needs {2} or newer.', title, version, least.join('.')),
      l10n.t('Update it with "{0}", then try again.', update),
    ],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

/** @param command what was asked for its version  @param output what it wrote instead */
function another(
  { title }: Product,
  agent: string,
  command: string,
  output: readonly string[],
): Problem {
  return problem('notAcp', {
    title: l10n.t('{0} is not {1}', agent, title),
    detail: [
      l10n.t('{0} did not answer with a version of {1}.', command, title),
      l10n.t('Correct "command" in the setting "parley.agents", then try again.'),
    ],
    output,
    actions: ['editAgents', 'retry', 'showLog'],
  });
}
