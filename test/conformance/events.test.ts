/** The table in `docs/events.md`, of what `npm run test:agents` has seen. `RESET_RESULTS=1` writes it again. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { EVENT_KINDS, readEvents } from '../realAgents/eventKinds';

const TABLE = 'docs/events.md';

test('the table says which kinds of events each agent yields', () => {
  const events = readEvents();
  const columns = Object.keys(events);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const text = [
    '# What each agent yields',
    '',
    'However an agent is reached, what it does ends in the same events. One task (an answer, an edit, a plan, a command',
    'that fails) with real agents against a scripted model, and which kinds of events came of it:',
    '`npm run test:agents` writes `test/realAgents/events.json`, and `test/conformance/events.test.ts` this page.',
    'What is missing the agent does not say, or the scripted model gives it no occasion to.',
    '',
    row(['', ...columns]),
    row(['---', ...columns.map(() => ':-:')]),
    ...EVENT_KINDS.map(kind =>
      row([kind, ...columns.map(column => (events[column]?.includes(kind) ? '✓' : ''))]),
    ),
    '',
  ].join('\n');
  if (process.env['RESET_RESULTS']) writeFileSync(TABLE, text);
  assert.equal(readFileSync(TABLE, 'utf8'), text, 'RESET_RESULTS=1 writes it again');
});
