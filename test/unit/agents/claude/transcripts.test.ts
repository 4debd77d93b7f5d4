import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replayUpdates } from '../../../../src/agents/backends/claude/replay';
import { Transcripts } from '../../../../src/agents/backends/claude/transcripts';

const CWD = '/w/my app';

/** Records of two tries at a second message: the last one counts. */
const RECORDS: readonly object[] = [
  { type: 'summary', summary: 'An old title' },
  user('1', null, 'First message'),
  assistant('2', '1', [{ type: 'text', text: 'First answer' }]),
  user('3', '2', 'Left for another try'),
  user('4', '2', [
    { type: 'text', text: '<command-name>/review</command-name><command-args>it</command-args>' },
  ]),
  assistant('5', '4', [{ type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'ls' } }]),
  {
    ...user('6', '5', [{ type: 'tool_result', tool_use_id: 'call', content: 'a' }]),
    toolUseResult: { stdout: 'a', stderr: '' },
  },
  { ...user('7', '6', 'For the model alone'), isMeta: true },
  assistant('8', '7', [
    { type: 'tool_use', id: 'cut', name: 'Read', input: { file_path: '/w/x' } },
  ]),
  { type: 'custom-title', customTitle: 'My title' },
];

test('sessions that the CLI keeps are listed, read as they stand, and deleted', async t => {
  const home = mkdtempSync(join(tmpdir(), 'parley-claude-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'projects', '-w-my-app');
  mkdirSync(folder, { recursive: true });
  const lines = [...RECORDS.map(record => JSON.stringify(record)), '{ cut off'];
  writeFileSync(join(folder, 'one.jsonl'), lines.join('\n'));
  writeFileSync(join(folder, 'empty.jsonl'), '');
  const transcripts = new Transcripts({ CLAUDE_CONFIG_DIR: home }, '/nowhere');

  const listed = await transcripts.list(CWD);
  assert.deepEqual(
    listed.map(({ id, cwd, title }) => ({ id, cwd, title })),
    [{ id: 'one', cwd: CWD, title: 'My title' }],
  );
  assert.deepEqual(await transcripts.list('/w'), []);

  const updates = replayUpdates(await transcripts.read('one'), CWD) as readonly Update[];
  assert.deepEqual(updates.map(line), [
    'user_message_chunk: First message',
    'agent_message_chunk: First answer',
    'user_message_chunk: /review it',
    'tool_call: ls',
    'tool_call_update: completed',
    'tool_call: Read /w/x',
    'tool_call_update: failed',
  ]);

  await transcripts.delete('one');
  assert.equal(await transcripts.has('one'), false);
});

interface Update {
  readonly sessionUpdate: string;
  readonly content?: { readonly text?: string };
  readonly title?: string;
  readonly status?: string;
}

function line({ sessionUpdate, content, title, status }: Update): string {
  return `${sessionUpdate}: ${content?.text ?? title ?? status}`;
}

function user(uuid: string, parentUuid: string | null, content: unknown) {
  return { type: 'user', uuid, parentUuid, cwd: CWD, message: { role: 'user', content } };
}

function assistant(uuid: string, parentUuid: string, content: unknown) {
  return { type: 'assistant', uuid, parentUuid, cwd: CWD, message: { id: `m${uuid}`, content } };
}
