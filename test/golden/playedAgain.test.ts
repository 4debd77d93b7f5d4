/** What six real agents said, played by Parley itself: each chat becomes what it was. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lastRun } from '../../src/agents/traffic/lastRun';
import { parseRecording } from '../../src/agents/traffic/recording';
import type { SessionState } from '../../src/session/state/state';
import { replayed } from '../unit/agents/replayWorld';
import { untilState } from '../unit/session/world';
import { render } from './render';
import { replayChats } from './replayChats';
import { loadTranscript, transcriptPaths } from './transcript';

/** Recordings of what no chat does: nothing asked, what is not JSON, prompts in pieces. */
const NO_CHATS = /-(errors|content|initonly-full)$|^(sdkexample-load|(pi|opencode|zcodex)-noauth)$/;

const shown = (state: SessionState): string =>
  render({ states: [state], answers: [], initialized: undefined });

for (const file of transcriptPaths()) {
  const transcript = loadTranscript(file);
  if (NO_CHATS.test(transcript.name)) continue;
  test(`${transcript.name} is played`, async t => {
    const recording = parseRecording(readFileSync(file, 'utf8'));
    const { sessionId } = lastRun(recording.messages).opening;
    const { states } = await replayChats(transcript);
    const was = states.find(state => state.sessionId === sessionId);
    assert.ok(was);
    const replay = replayed(recording, 'full', 'Agent');
    t.after(() => replay.end());
    await replay.done;
    const { store } = replay.chat;
    // The last words are read a moment after they were said.
    await untilState(store, state => shown(state) === shown(was)).catch(() => undefined);
    assert.equal(shown(store.state), shown(was));
    assert.deepEqual(replay.touched, []);
  });
}
