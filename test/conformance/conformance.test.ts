/**
 * Everything that the protocol has, used by a real agent process, and the table in `docs/conformance.md`
 * that says what Parley does with it. `RESET_RESULTS=1` writes the table again.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  agentCapabilities,
  clientCapabilities,
  draftCapabilities,
  mcpServers,
  signInMethods,
} from './cases/capabilities';
import {
  errors,
  formFields,
  optionKinds,
  otherErrors,
  stopReasons,
  toolKinds,
  toolStatuses,
} from './cases/choices';
import { prompts, replies, toolContents } from './cases/contents';
import { agentMethods, clientMethods, draftMethods, notifications } from './cases/methods';
import { draftUpdates, updates } from './cases/updates';
import { Run, type ConformanceGroup } from './conformanceCase';
import { table } from './table';

const TABLE = 'docs/conformance.md';

const GROUPS: readonly ConformanceGroup[] = [
  agentMethods,
  draftMethods,
  clientMethods,
  notifications,
  updates,
  draftUpdates,
  replies,
  prompts,
  toolContents,
  toolKinds,
  toolStatuses,
  optionKinds,
  formFields,
  stopReasons,
  errors,
  otherErrors,
  clientCapabilities,
  draftCapabilities,
  agentCapabilities,
  mcpServers,
  signInMethods,
];

for (const { title, all, cases } of GROUPS) {
  describe(title, () => {
    if (all) {
      test('nothing is left out, and nothing is made up', () => {
        const named = cases.map(({ name }) => name).filter(name => name !== '$/cancel_request');
        const asked = all.filter(name => name !== '$/cancel_request');
        assert.deepEqual([...named].sort(), [...asked].sort());
      });
    }
    for (const { name, run } of cases) {
      test(name, async () => {
        const it = new Run();
        try {
          await run(it);
          // A method that was not used was not tried.
          if ([agentMethods, draftMethods, clientMethods].some(({ cases: own }) => own === cases)) {
            assert.ok(it.called(name), `${name} was used`);
          }
        } finally {
          await it.end();
        }
      });
    }
  });
}

test('the table says what is tested', () => {
  const text = table(HEAD, GROUPS, 'v1');
  if (process.env['RESET_RESULTS']) writeFileSync(TABLE, text);
  assert.equal(readFileSync(TABLE, 'utf8'), text, 'RESET_RESULTS=1 writes it again');
});

const HEAD = [
  '# What Parley does with the Agent Client Protocol',
  '',
  'Each line is tested with an agent process that uses it, and everything that Parley sends meanwhile is',
  'validated against the JSON Schema of ACP v1 (`test/conformance`, which writes this page). The last column names the',
  'real agents that were seen to use it with Parley (`npm run test:agents`, which writes `test/realAgents/seen.json`).',
  'What is done with v2 stands in [conformance-v2.md](conformance-v2.md).',
];
