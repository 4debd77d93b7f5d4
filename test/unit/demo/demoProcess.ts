/** The demo agent as it ships: bundled, and run by Node as a process of its own. */
import { mkdtempSync, writeFileSync, mkdirSync, rmSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as esbuild from 'esbuild';
import type * as schema from '../../../src/acp/schema/schema';
import { ALL, RawClient } from '../../realAgents/rawClient';
import type { SchemaCheck } from './schemaCheck';

/** @returns the bundle's path, in `folder`. */
export async function bundleDemo(folder: string): Promise<string> {
  const outfile = path.join(folder, 'demoAgent.cjs');
  await esbuild.build({
    entryPoints: [path.resolve(import.meta.dirname, '../../../src/demo/main.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-demo-')));
}

/** A workspace with `files`, by relative path. */
export function workspace(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the demo agent; every message it sends is checked, and the first bad one ends the test. */
export function startDemo(
  bundle: string,
  cwd: string,
  check: SchemaCheck,
  env: Readonly<Record<string, string>> = {},
): RawClient {
  const launch = {
    command: process.execPath,
    args: [bundle],
    env: { ELECTRON_RUN_AS_NODE: '1', PARLEY_DEMO_PACE: '0', ...env },
  };
  return new RawClient(launch, cwd, (message, answered) =>
    check.message(message as Record<string, unknown>, answered),
  );
}

export interface Opened {
  readonly client: RawClient;
  readonly sessionId: string;
  readonly session: schema.NewSessionResponse;
}

export async function open(
  client: RawClient,
  cwd: string,
  capabilities: schema.ClientCapabilities = ALL,
): Promise<Opened> {
  await client.initialize(capabilities);
  const session = await client.newSession(cwd);
  return { client, sessionId: session.sessionId, session };
}
