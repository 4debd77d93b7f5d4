import { statSync } from 'node:fs';
import { arch, release } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Finding, Fix } from '../../shared/doctorPage';
import { resolveCommand } from '../../agents/process/commandResolution';
import { getVariable, type Env } from '../../agents/process/environmentVariables';
import { withoutUser } from '../../agents/process/proxyEnvironment';
import { runBriefly } from '../../agents/process/briefRun';
import { findNodePty } from '../../terminals/nodePty';
import type { ProcessTracker } from '../../agents/process/processTracker';

export interface Machine {
  /** The login shell's. */
  readonly env: Env;
  readonly home: string;
  readonly processes: ProcessTracker;
  /** Name of the remote side that this runs on: SSH, WSL, a container. */
  readonly remote: string | undefined;
  /** VS Code's `http.proxy`. */
  readonly proxySetting: string;
  /** VS Code's own folder. */
  readonly appRoot: string;
}

/** What starts most agents, and what each is for. */
const TOOLS = ['node', 'npx', 'uvx', 'git'] as const;
const GETS = {
  node: 'getNode',
  npx: 'getNode',
  uvx: 'getUv',
  git: 'getGit',
} as const satisfies Readonly<Record<(typeof TOOLS)[number], Fix>>;
const TIMEOUT_MS = 10_000;
const LEAST_NODE = 20;

/** Where agents run, and what they find there. */
export async function checkMachine(machine: Machine): Promise<readonly Finding[]> {
  const { env, remote } = machine;
  const where: Finding = {
    level: 'note',
    title:
      remote === undefined
        ? l10n.t('Agents run on this machine.')
        : l10n.t('Agents run on the remote side ({0}).', remote),
    detail: `${process.platform} ${release()} ${arch()}`,
  };
  const [terminals, ...tools] = await Promise.all([
    checkTerminals(machine),
    ...TOOLS.map(tool => checkTool(tool, machine)),
  ]);
  return [where, checkPath(env), ...tools, terminals, checkProxy(machine)];
}

async function checkTerminals({ appRoot }: Machine): Promise<Finding> {
  const found = await findNodePty(appRoot);
  if (found.kind === 'found') {
    const title = l10n.t('Commands of agents run in a pseudo-terminal: you can type into them.');
    return { level: 'ok', title, detail: found.path };
  }
  const title = l10n.t('Commands of agents run without a pseudo-terminal, and take no input.');
  return { level: 'note', title, detail: found.reason };
}

function checkPath(env: Env): Finding {
  const folders = (getVariable(env, 'PATH') ?? '').split(delimiter).filter(Boolean);
  const missing = folders.filter(folder => !isAbsolute(folder) || !isThere(folder));
  const detail = folders.join('\n');
  if (folders.length === 0) {
    return { level: 'problem', title: l10n.t('Your login shell has no PATH.'), fix: 'showLog' };
  }
  return {
    level: 'ok',
    title:
      missing.length === 0
        ? l10n.t('Your login shell has {0} folders on its PATH.', folders.length)
        : l10n.t(
            'Your login shell has {0} folders on its PATH, {1} of which do not exist.',
            folders.length,
            missing.length,
          ),
    detail,
  };
}

async function checkTool(
  tool: (typeof TOOLS)[number],
  { env, home, processes }: Machine,
): Promise<Finding> {
  const found = await resolveCommand(tool, env, home);
  if (found.kind !== 'found') {
    return { level: tool === 'node' ? 'problem' : 'note', title: absent(tool), fix: GETS[tool] };
  }
  const spec = { command: found.path, args: ['--version'], env, cwd: home };
  const run = await runBriefly(spec, processes, TIMEOUT_MS);
  const version =
    run?.stdout
      .trim()
      .split('\n')[0]
      ?.replace(/^\w+ version /, '') ?? '';
  if (run?.code !== 0) {
    const title = l10n.t('{0} does not run.', tool);
    const detail = [found.path, ...(run?.stderr ?? [])].join('\n');
    return { level: 'problem', title, detail, fix: 'openTerminal' };
  }
  const major = Number(/^v(\d+)/.exec(version)?.[1] ?? LEAST_NODE);
  if (tool === 'node' && major < LEAST_NODE) {
    const title = l10n.t('Node.js {0} is older than most agents need ({1}).', version, LEAST_NODE);
    return { level: 'problem', title, detail: found.path, fix: 'getNode' };
  }
  return { level: 'ok', title: `${tool} ${version}`, detail: found.path };
}

function absent(tool: (typeof TOOLS)[number]): string {
  switch (tool) {
    case 'node':
      return l10n.t('Node.js is not on the PATH. Most agents need it.');
    case 'npx':
      return l10n.t('npx is not on the PATH. It comes with Node.js and runs agents from npm.');
    case 'uvx':
      return l10n.t('uvx is not on the PATH. It comes with uv and runs agents from PyPI.');
    case 'git':
      return l10n.t('git is not on the PATH. Many agents use it.');
  }
}

function checkProxy({ env, proxySetting }: Machine): Finding {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NO_PROXY'];
  const set = names.flatMap(name => {
    const value = getVariable(env, name);
    return value === undefined ? [] : [`${name}=${withoutUser(value)}`];
  });
  if (proxySetting !== '') set.push(`http.proxy=${withoutUser(proxySetting)}`);
  if (set.length === 0) return { level: 'ok', title: l10n.t('No proxy is set.') };
  const title = l10n.t('A proxy is set.');
  return { level: 'note', title, detail: set.join('\n'), fix: 'proxySettings' };
}

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
