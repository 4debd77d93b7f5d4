import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const OXLINT = path.resolve('node_modules/oxlint/bin/oxlint');

interface Case {
  readonly file: string;
  readonly code: string;
}

/**
 * What Oxlint says of each case. A case gets a project of its own where another has its file already, so that few runs do
 * for all.
 */
async function lintAll(cases: readonly Case[]): Promise<Map<Case, readonly string[]>> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'parley-lint-'));
  const projects: Map<string, Case>[] = [];
  for (const each of cases) {
    const free = projects.find(project => !project.has(each.file));
    if (free) free.set(each.file, each);
    else projects.push(new Map([[each.file, each]]));
  }
  try {
    const said = new Map<Case, readonly string[]>();
    await Promise.all(
      projects.map(async (project, index) => {
        const found = await lint(path.join(root, String(index)), [...project.values()]);
        for (const [file, each] of project) said.set(each, found.get(file) ?? []);
      }),
    );
    return said;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Lints `cases` as files of a project in `folder`, by this project's configuration. */
async function lint(
  folder: string,
  cases: readonly Case[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  cpSync('scripts/lint', path.join(folder, 'scripts/lint'), { recursive: true });
  cpSync('.oxlintrc.json', path.join(folder, '.oxlintrc.json'));
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true }, "include": ["src"] }',
  );
  for (const { file, code } of cases) {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, code);
  }
  const output = await new Promise<string>(resolve =>
    execFile(process.execPath, [OXLINT, '--format=json'], { cwd: folder }, (_, stdout) =>
      resolve(stdout),
    ),
  );
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { code: string; message: string; filename: string }[];
  };
  const found = new Map<string, string[]>();
  for (const { code, message, filename } of diagnostics) {
    found.set(filename, [...(found.get(filename) ?? []), `${code}: ${message}`]);
  }
  return found;
}

const BROKEN: readonly [what: string, file: string, code: string, rule: RegExp][] = [
  [
    'vscode in acp',
    'src/acp/x.ts',
    `import * as vscode from 'vscode'; vscode.x;`,
    /layers.*vscode/,
  ],
  ['vscode types in agents', 'src/agents/x.ts', `import type { Uri } from 'vscode';`, /layers/],
  [
    'a protocol in the supervisor',
    'src/agents/supervisor.ts',
    `import type { a } from '../acp/rpc/connection';`,
    /layers/,
  ],
  [
    'a process in the supervisor',
    'src/agents/supervisor.ts',
    `import { a } from './process/agentProcess'; a;`,
    /layers/,
  ],
  [
    'asking an event what changed',
    'src/vscode/x.ts',
    `export const f = (e: E) => e.affectsConfiguration('parley');`,
    /come late/,
  ],
  [
    'compatibility past its door',
    'src/acp/rpc/x.ts',
    `import { a } from '../compat/calls'; a;`,
    /layers.*compat/,
  ],
  [
    'compatibility outside the wire',
    'src/agents/y.ts',
    `import { a } from '../acp/compat/compatibility'; a;`,
    /layers.*compat/,
  ],
  ['vscode in the session', 'src/session/x.ts', `import { Uri } from 'vscode'; Uri;`, /layers/],
  [
    'vscode in the composition',
    'src/host/x.ts',
    `import * as vscode from 'vscode'; vscode.x;`,
    /layers.*types/,
  ],
  ['vscode by require', 'src/review/x.ts', `const v = require('vscode'); v;`, /layers/],
  ['vscode in the webview', 'webview/x.ts', `import type { Uri } from 'vscode';`, /layers/],
  ['Node in base', 'src/base/x.ts', `import { join } from 'node:path'; join;`, /layers.*Node/],
  ['Node without its prefix', 'src/shared/x.ts', `import * as fs from 'fs'; fs;`, /layers.*Node/],
  ['Node in the session, lazily', 'src/session/x.ts', `void import('node:fs');`, /layers.*Node/],
  ['Node globals in the session', 'src/session/x.ts', `export const x = process.env;`, /globals/],
  ['DOM globals in shared', 'src/shared/x.ts', `export const x = document.body;`, /globals/],
  ['the clock in the session', 'src/session/x.ts', `export const x = Date.now();`, /properties/],
  ['adapters in the session', 'src/session/x.ts', `import { a } from '../vscode/a'; a;`, /layers/],
  ['the wire in the session', 'src/session/x.ts', `import { a } from '../acp/conn'; a;`, /types/],
  ['hosting in the wire', 'src/acp/x.ts', `import { a } from '../agents/a'; a;`, /layers/],
  [
    'the SDK by value',
    'src/acp/schema/schema.ts',
    `import { z } from '@agentclientprotocol/sdk'; z;`,
    /type/,
  ],
  [
    'the SDK elsewhere',
    'src/acp/x.ts',
    `import type { a } from '@agentclientprotocol/sdk';`,
    /layers/,
  ],
  ['host code in the webview', 'webview/x.ts', `import { a } from '../src/acp/a'; a;`, /layers/],
  [
    'impure session parts',
    'webview/x.ts',
    `import { a } from '../src/session/controller'; a;`,
    /types/,
  ],
  [
    'the toolkit anywhere',
    'webview/components/x.ts',
    `import '@vscode/webview-ui-toolkit';`,
    /layers/,
  ],
  ['Node in the webview', 'webview/x.ts', `import { join } from 'node:path'; join;`, /layers/],
  ['the rest in the demo', 'src/demo/x.ts', `import { a } from '../acp/ndjson'; a;`, /types/],
  [
    'a value in a mixed import',
    'src/demo/x.ts',
    `import { type A, b } from '../acp/a'; b;`,
    /types/,
  ],
  [
    'the webview in the host',
    'src/vscode/x.ts',
    `import { a } from '../../webview/a'; a;`,
    /layers/,
  ],
  ['private words', 'src/base/x.ts', `export const wasTold = 1;`, /words.*told/],
  ['barrels', 'src/base/x.ts', `export * from './event';`, /barrels/],
  ['default exports', 'src/base/x.ts', `export default 1;`, /no-restricted-exports/],
  ['long files', 'webview/x.ts', 'void 0;\n'.repeat(401), /max-lines/],
  ['kebab case', 'src/base/my-file.ts', `export const x = 1;`, /fileNames/],
  [
    'a disabled rule',
    'src/acp/y.ts',
    `// eslint-disable-next-line\nimport * as vscode from 'vscode'; vscode.x;`,
    /layers/,
  ],
  [
    'a promise that nothing waits for',
    'src/acp/z.ts',
    `export function f(p: Promise<void>) { p; }`,
    /floating/,
  ],
  ['an interface with an I', 'src/base/y.ts', `export interface IThing { a: 1 }`, /leading I/],
  ['postponed work', 'src/base/x.ts', `// ${'TO'}DO later`, /warning-comments/],
];

const ALLOWED: readonly [what: string, file: string, code: string][] = [
  ['vscode in an adapter', 'src/vscode/x.ts', `export { Uri } from 'vscode';`],
  ['vscode at the extension', 'src/extension.ts', `export { Uri } from 'vscode';`],
  ['vscode in the window', 'src/host/window.ts', `export { Uri } from 'vscode';`],
  ['vscode types in the composition', 'src/host/y.ts', `export type { Uri } from 'vscode';`],
  ['Node in the wire', 'src/acp/x.ts', `export { pipeline } from 'node:stream';`],
  ['SDK types', 'src/acp/schema/schema.ts', `export type * from '@agentclientprotocol/sdk';`],
  ['schema types in the session', 'src/session/x.ts', `export type { s } from '../acp/schema';`],
  [
    'the reducer in the webview',
    'webview/x.ts',
    `export { reduce } from '../src/session/state/reducer';`,
  ],
  ['the toolkit in its one file', 'webview/ui/toolkit.ts', `import '@vscode/webview-ui-toolkit';`],
  [
    'schema types in the demo',
    'src/demo/scenes/x.ts',
    `export type { s } from '../../acp/schema';`,
  ],
  ['the demo in the demo', 'src/demo/scenes/x.ts', `export { peer } from '../peer';`],
];

const broken = BROKEN.map(([what, file, code, rule]) => ({ what, file, code, rule }));
const allowed = ALLOWED.map(([what, file, code]) => ({ what, file, code }));
const said = lintAll([...broken, ...allowed]);

for (const each of broken) {
  test(`lint refuses ${each.what}`, async () => {
    const messages = (await said).get(each) ?? [];
    assert.ok(
      messages.some(message => each.rule.test(message)),
      `nothing matches ${String(each.rule)} in ${JSON.stringify(messages)}`,
    );
  });
}

for (const each of allowed) {
  test(`lint accepts ${each.what}`, async () => {
    assert.deepEqual((await said).get(each), []);
  });
}

test('no file turns a rule off', () => {
  const files = ['src', 'webview', 'test', 'scripts'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  );
  const sources = files.filter(file => /\.(ts|mjs)$/.test(file));
  assert.ok(sources.length > 1_000);
  const term = `oxlint-${'disable'}`;
  assert.deepEqual(
    sources.filter(file => readFileSync(file, 'utf8').includes(term)),
    [],
  );
});
