/** The public list of agents, as far as it can be used here. What is wrong with an entry costs that entry alone. */
import { isRecord } from '../../base/isRecord';
import { isLocalOrSecure } from './addresses';
import { isAgentId, isVersion } from './registryNames';

export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly authors: readonly string[];
  readonly license?: string;
  readonly website?: string;
  readonly icon?: string;
  /** How it can be had on this machine, the best first; empty where it cannot. */
  readonly ways: readonly Way[];
}

export type Way = PackageWay | BinaryWay;

interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface PackageWay extends Launch {
  readonly kind: 'npx' | 'uvx';
  /** With its version. */
  readonly package: string;
  /** Its program to run, where the package has several. */
  readonly command?: string;
}

export interface BinaryWay extends Launch {
  readonly kind: 'binary';
  readonly archive: string;
  /** Of the archive, in lower case. */
  readonly sha256?: string;
  /** Path of the program below the unpacked archive, with forward slashes. */
  readonly command: string;
}

/** As the registry names this machine: `linux-x86_64`. */
export function registryPlatform(platform = process.platform, arch: string = process.arch): string {
  const system = platform === 'win32' ? 'windows' : platform;
  return `${system}-${arch === 'arm64' ? 'aarch64' : arch === 'x64' ? 'x86_64' : arch}`;
}

/** No addresses, no folders, no options. */
const NPM_PACKAGE = /^(?:@\w[\w.-]*\/)?\w[\w.-]*@\w[\w.+-]*$/;
const PYTHON_PACKAGE = /^\w[\w.-]*(?:\[\w[\w,.-]*\])?(?:==|@)\w[\w.+!-]*$/;
const PROGRAM = /^\w[\w.-]*$/;
const MAX_TEXT = 1_000;

/** @throws Error when `text` is no list of agents at all */
export function parseRegistry(text: string, platform = registryPlatform()): RegistryAgent[] {
  const list: unknown = JSON.parse(text);
  if (!isRecord(list) || !Array.isArray(list['agents'])) throw new Error('no list of agents');
  const agents = new Map<string, RegistryAgent>();
  for (const entry of list['agents']) {
    const agent = parseAgent(entry, platform);
    if (agent && !agents.has(agent.id)) agents.set(agent.id, agent);
  }
  return [...agents.values()];
}

function parseAgent(entry: unknown, platform: string): RegistryAgent | undefined {
  if (!isRecord(entry)) return undefined;
  const { id, version, distribution } = entry;
  const name = text(entry['name']);
  if (!isAgentId(id) || !isVersion(version) || name === undefined) return undefined;
  const license = text(entry['license']);
  const website = address(entry['website']) ?? address(entry['repository']);
  const icon = address(entry['icon']);
  const { authors } = entry;
  return {
    id,
    name,
    version,
    description: text(entry['description']) ?? '',
    authors: Array.isArray(authors) ? authors.flatMap(author => text(author) ?? []) : [],
    ...(license !== undefined && { license }),
    ...(website !== undefined && { website }),
    ...(icon !== undefined && { icon }),
    ways: isRecord(distribution) ? parseWays(distribution, platform) : [],
  };
}

function parseWays(distribution: Readonly<Record<string, unknown>>, platform: string): Way[] {
  const { binary } = distribution;
  return [
    parsePackage('npx', distribution['npx']),
    parseBinary(isRecord(binary) ? binary[platform] : undefined),
    parsePackage('uvx', distribution['uvx']),
  ].filter(way => way !== undefined);
}

function parsePackage(kind: 'npx' | 'uvx', entry: unknown): PackageWay | undefined {
  if (!isRecord(entry)) return undefined;
  const launch = parseLaunch(entry);
  const { package: name, cmd } = entry;
  const pattern = kind === 'npx' ? NPM_PACKAGE : PYTHON_PACKAGE;
  if (!launch || typeof name !== 'string' || !pattern.test(name)) return undefined;
  if (cmd === undefined) return { kind, package: name, ...launch };
  if (typeof cmd !== 'string' || !PROGRAM.test(cmd)) return undefined;
  return { kind, package: name, command: cmd, ...launch };
}

function parseBinary(entry: unknown): BinaryWay | undefined {
  if (!isRecord(entry)) return undefined;
  const launch = parseLaunch(entry);
  const { archive, cmd, sha256 } = entry;
  if (!launch || typeof archive !== 'string' || !isLocalOrSecure(archive)) return undefined;
  if (typeof cmd !== 'string') return undefined;
  const command = cmd.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  if (
    !command.split('/').every(part => part !== '' && !/^\.+$/.test(part) && !part.includes(':'))
  ) {
    return undefined;
  }
  if (sha256 === undefined) return { kind: 'binary', archive, command, ...launch };
  // A checksum that cannot be one must not become none.
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) return undefined;
  return { kind: 'binary', archive, command, sha256: sha256.toLowerCase(), ...launch };
}

function parseLaunch({
  args = [],
  env = {},
}: Readonly<Record<string, unknown>>): Launch | undefined {
  if (!Array.isArray(args) || !args.every(arg => typeof arg === 'string')) return undefined;
  if (!isRecord(env)) return undefined;
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || typeof value !== 'string') return undefined;
    variables[name] = value;
  }
  return { args, env: variables };
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = value.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line.slice(0, MAX_TEXT);
}

function address(value: unknown): string | undefined {
  return typeof value === 'string' && isLocalOrSecure(value) ? value : undefined;
}
