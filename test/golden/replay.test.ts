import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionNotification } from '../../src/acp/schema/schema';
import { RecordingLogger } from '../unit/acp/rawPeer';
import { replay } from './replay';
import { loadTranscript, transcriptPaths } from './transcript';

const paths = transcriptPaths();

test('there are 93 transcripts', () => {
  assert.equal(paths.length, 93);
});

for (const file of paths) {
  const transcript = loadTranscript(file);
  test(`${transcript.name} replays: all it says is handled, in order, and nothing fails`, async () => {
    const logger = new RecordingLogger();
    const updates: SessionNotification[] = [];
    const answered: string[] = [];
    const result = await replay(transcript, {
      logger,
      handlers: recorded => ({ ...recorded, sessionUpdate: params => updates.push(params) }),
      request: async ({ id, method }, send) => {
        const outcome = await send().then(
          () => 'result',
          () => 'error',
        );
        answered.push(`${id} ${method} ${outcome}`);
      },
    });

    const recordedUpdates = transcript.entries.flatMap(entry =>
      entry.kind === 'notification' && entry.method === 'session/update' ? [entry.params] : [],
    ).filter(params => !isToldToModel(params));
    assert.equal(updates.length, recordedUpdates.length);
    for (const [index, update] of updates.entries()) {
      assert.deepEqual(comparable(update), expected(recordedUpdates[index]), `update ${index}`);
    }

    const requests = transcript.entries.filter(
      entry => entry.kind === 'request' && entry.from === 'client',
    );
    assert.equal(answered.length, requests.length - result.skipped.length);

    assert.deepEqual(result.unexpected, []);
    assert.deepEqual(result.junk, []);
    assert.deepEqual(logger.at('error'), []);
    assert.deepEqual(
      logger.at('warn').filter(entry => !/a response without an id/.test(entry)),
      [],
    );
  });
}

/** Without nulls: in most places they mean absent, and the guards drop them there. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) => (part === null ? undefined : part)),
  );
}

interface Recorded {
  readonly sessionId: string;
  readonly update: { readonly content?: { readonly text?: string } };
}

/** What Gemini tells the model is the one thing that is left out. */
function isToldToModel(recorded: unknown): boolean {
  return (recorded as Recorded).update.content?.text?.startsWith('<session_context>') === true;
}

/** Gemini's modes told in prose are the one thing that is read as something else than it says. */
function expected(recorded: unknown): unknown {
  const { sessionId, update } = recorded as Recorded;
  const mode = /^\[MODE_UPDATE\] (.*)$/.exec(update.content?.text ?? '')?.[1];
  return comparable(
    mode === undefined
      ? recorded
      : { sessionId, update: { sessionUpdate: 'current_mode_update', currentModeId: mode } },
  );
}
