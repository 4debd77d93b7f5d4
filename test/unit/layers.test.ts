import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ESLint } from 'eslint';

/** Lints `code` as if it were the file `filePath`, and gives the broken rules with their messages. */
async function lint(filePath: string, code: string): Promise<string[]> {
  // Type-checked rules need the file on disk; the rules tested here do not, so parse without types.
  const eslint = new ESLint({
    overrideConfig: [
      {
        files: ['**/*.ts'],
        languageOptions: { parserOptions: { projectService: false, project: null } },
      },
    ],
    ruleFilter: ({ ruleId }: { ruleId: string }) => !ruleId.startsWith('@typescript-eslint/'),
  });
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId ?? 'parse'}: ${message}`);
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
  ['vscode in the session', 'src/session/x.ts', `import { Uri } from 'vscode'; Uri;`, /layers/],
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
  ['postponed work', 'src/base/x.ts', `// ${'TO'}DO later`, /warning-comments/],
];

for (const [what, file, code, rule] of BROKEN) {
  test(`lint refuses ${what}`, async () => {
    const messages = await lint(file, code);
    assert.ok(
      messages.some(message => rule.test(message)),
      `nothing matches ${String(rule)} in ${JSON.stringify(messages)}`,
    );
  });
}

test('a disabling comment has no effect', async () => {
  const code = `// eslint-disable-next-line\nimport * as vscode from 'vscode'; vscode.x;`;
  const messages = await lint('src/acp/x.ts', code);
  assert.ok(messages.some(message => message.startsWith('parley/layers')));
});

const ALLOWED: readonly [what: string, file: string, code: string][] = [
  ['vscode in an adapter', 'src/vscode/x.ts', `import * as vscode from 'vscode'; vscode.x;`],
  ['vscode in the composition root', 'src/compose.ts', `import { Uri } from 'vscode'; Uri;`],
  ['Node in the wire', 'src/acp/x.ts', `import { pipeline } from 'node:stream'; pipeline;`],
  ['SDK types', 'src/acp/schema/schema.ts', `export type * from '@agentclientprotocol/sdk';`],
  ['schema types in the session', 'src/session/x.ts', `import type * as s from '../acp/schema';`],
  [
    'the reducer in the webview',
    'webview/x.ts',
    `import { reduce } from '../src/session/state/reducer';`,
  ],
  ['the toolkit in its one file', 'webview/ui/toolkit.ts', `import '@vscode/webview-ui-toolkit';`],
  [
    'schema types in the demo',
    'src/demo/scenes/x.ts',
    `import type * as s from '../../acp/schema';`,
  ],
  ['the demo in the demo', 'src/demo/scenes/x.ts', `import { peer } from '../peer'; peer;`],
];

for (const [what, file, code] of ALLOWED) {
  test(`lint accepts ${what}`, async () => {
    assert.deepEqual(await lint(file, code), []);
  });
}
