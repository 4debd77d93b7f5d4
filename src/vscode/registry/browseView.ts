import * as vscode from 'vscode';
import { formatCommandLine } from '../../agents/process/commandLine';
import type { InstalledAgent } from '../../agents/registry/installedAgents';
import type { InstallProgress } from '../../agents/registry/installer';
import type { RegistryAgent, Way } from '../../agents/registry/registryList';
import { visibleText } from '../../base/visibleText';
import type { BrowseAgent, BrowseInstalled, BrowseWay } from '../../shared/browsePage';

/** What is being done with an agent, and what went wrong. */
export interface Activity {
  readonly abort?: AbortController;
  readonly progress?: InstallProgress;
  readonly problem?: string;
}

/** An agent of the list as the page shows it. All texts are somebody else's. */
export function browseAgent(
  agent: RegistryAgent,
  installed: InstalledAgent | undefined,
  { abort, progress, problem }: Activity,
): BrowseAgent {
  const { id, name, version, description, license, authors, icon, website, ways } = agent;
  return {
    id,
    name: visibleText(name),
    version,
    description: visibleText(description),
    authors: visibleText(authors.join(', ')),
    hasWebsite: website !== undefined,
    ways: ways.map(browseWay),
    ...(license !== undefined && { license: visibleText(license) }),
    ...(icon !== undefined && { icon }),
    ...(installed && { installed: browseInstalled(installed, version) }),
    ...(abort && { busy: busy(progress) }),
    ...(problem !== undefined && { problem: visibleText(problem) }),
  };
}

/** The version of the list that the user should hear of. */
export function updateOf(installed: InstalledAgent, listed: string): string | undefined {
  const { isPinned, versions } = installed;
  const isThere = versions.some(({ version }) => version === listed);
  return isPinned || isThere ? undefined : listed;
}

function browseInstalled(installed: InstalledAgent, listed: string): BrowseInstalled {
  const { current, isPinned, versions } = installed;
  const update = updateOf(installed, listed);
  return {
    current,
    isPinned,
    versions: versions.map(({ version }) => version),
    ...(update !== undefined && { update }),
  };
}

function browseWay(way: Way): BrowseWay {
  const variables = Object.entries(way.env).map(([name, value]) => `${name}=${value}`);
  const runs = (command: string, args: readonly string[]): string =>
    visibleText([...variables, formatCommandLine(command, args)].join(' '));
  switch (way.kind) {
    case 'npx': {
      const program = way.command === undefined ? [] : ['-p', way.package, way.command];
      return {
        label: 'npm',
        downloads: vscode.l10n.t(
          'Downloads {0} and its dependencies from npm and runs their install scripts.',
          way.package,
        ),
        runs: runs('npx', [...(program.length > 0 ? program : [way.package]), ...way.args]),
      };
    }
    case 'uvx':
      return {
        label: 'uvx',
        downloads: vscode.l10n.t('uvx downloads {0} from PyPI at the first start.', way.package),
        runs: runs('uvx', [
          ...(way.command === undefined ? [] : ['--from']),
          way.package,
          ...(way.command === undefined ? [] : [way.command]),
          ...way.args,
        ]),
      };
    case 'binary':
      return {
        label: vscode.l10n.t('Program'),
        downloads:
          way.sha256 === undefined
            ? vscode.l10n.t('Downloads {0}. The list has no checksum for it.', way.archive)
            : vscode.l10n.t('Downloads {0} and checks its SHA-256.', way.archive),
        runs: runs(way.command, way.args),
      };
  }
}

function busy(progress: InstallProgress | undefined): NonNullable<BrowseAgent['busy']> {
  const { step, fraction } = progress ?? {};
  const more = fraction === undefined ? {} : { fraction };
  switch (step) {
    case 'downloading':
      return { text: vscode.l10n.t('Downloading…'), ...more };
    case 'unpacking':
      return { text: vscode.l10n.t('Unpacking…') };
    case 'npm':
      return { text: vscode.l10n.t('npm is installing…') };
    case undefined:
      return { text: vscode.l10n.t('Starting…') };
  }
}
