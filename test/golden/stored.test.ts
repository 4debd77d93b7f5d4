/** Chats as 0.1.0 stored them, of recorded agents: they say the same in every later version. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseHistory } from '../../src/session/history/historyText';
import type { SessionState } from '../../src/session/state/state';
import { allTurns } from '../../src/session/state/selectors';
import { replayChats } from './replayChats';
import { loadTranscript } from './transcript';

const STORED = 'test/golden/stored';

for (const file of readdirSync(STORED)) {
  test(`a stored chat of ${path.basename(file, '.jsonl')}`, async () => {
    const stored = parseHistory(readFileSync(path.join(STORED, file), 'utf8'));
    assert.ok(stored);
    const { states } = await replayChats(loadTranscript(path.join('test/golden/transcripts', file)));
    const [now] = states;
    assert.ok(now);
    assert.ok(allTurns(stored).length > 0);
    assert.deepEqual(conversation(stored), conversation(now));
  });
}

/** Ids of Parley's own, and what 0.1.0 did not store. */
const LEFT_OUT: ReadonlySet<string> = new Set(['id', 'ref', 'messageId', 'tokens', 'lineUnknown']);

/** What a chat says. */
function conversation(state: SessionState): unknown {
  const without = (key: string, value: unknown) => (LEFT_OUT.has(key) ? undefined : value);
  return JSON.parse(JSON.stringify(allTurns(state), without)) as unknown;
}
