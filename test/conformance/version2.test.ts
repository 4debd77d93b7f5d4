/**
 * Everything that ACP v2 has, used by an agent on the SDK's own side of it, and the table in
 * `docs/conformance-v2.md`. `RESET_RESULTS=1` writes the table again.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Run, type ConformanceGroup } from './conformanceCase';
import { table } from './table';
import * as cases from './cases/version2';

const TABLE = 'docs/conformance-v2.md';

const GROUPS: readonly ConformanceGroup[] = [
  cases.agentMethods,
  cases.clientMethods,
  cases.notifications,
  cases.updates,
  cases.states,
  cases.stopReasons,
  cases.replies,
  cases.prompts,
  cases.toolContents,
  cases.changes,
  cases.toolStatuses,
  cases.plans,
  cases.subjects,
  cases.options,
  cases.agentCapabilities,
  cases.mcpServers,
  cases.signInMethods,
];

for (const { title, all, cases: own } of GROUPS) {
  describe(`v2: ${title}`, () => {
    if (all) {
      test('nothing is left out, and nothing is made up', () => {
        assert.deepEqual(own.map(({ name }) => name).sort(), [...all].sort());
      });
    }
    for (const { name, run } of own) {
      test(name, async () => {
        const it = new Run('v2');
        try {
          await run(it);
        } finally {
          await it.end();
        }
      });
    }
  });
}

test('the table of v2 says what is tested', () => {
  const head = [
    '# What Parley does with version 2 of the Agent Client Protocol',
    '',
    'The draft of v2, as the official SDK has it. Each line is tested with an agent on the side of the SDK, and all that',
    'Parley sends meanwhile is validated against the JSON Schema of v2 (`test/conformance`, which writes this page).',
  ];
  const text = table(head, GROUPS, 'v2');
  if (process.env['RESET_RESULTS']) writeFileSync(TABLE, text);
  assert.equal(readFileSync(TABLE, 'utf8'), text, 'RESET_RESULTS=1 writes it again');
});
