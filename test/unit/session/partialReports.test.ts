/** Tool calls of which agents tell a part only: what they change is seen, and where. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { world } from './world';

const done = { respond: { stopReason: 'end_turn' } };

async function callAfter(...updates: object[]) {
  const opened = await world();
  try {
    const state = await opened.run([...updates.map(update => ({ update })), done]);
    const part = state.turns.at(-1)?.parts[0];
    assert.ok(part?.kind === 'tool');
    return part;
  } finally {
    await opened.end();
  }
}

const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit' };
const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c' };

test('what a tool is called is a title only until there is one', async () => {
  const [begun, named] = [{ ...call, title: '' }, { name: 'exec_command' }];
  assert.equal((await callAfter({ ...begun, ...named })).title, 'exec_command');
  const titled = { ...call, title: 'npm test' };
  assert.equal((await callAfter(titled, { ...update, ...named })).title, 'npm test');
});

test('a patch in the input is shown as diffs, with the places it changes', async () => {
  const input = [
    '*** Begin Patch',
    '*** Add File: /w/new.txt',
    '+one',
    '+two',
    '*** Update File: /w/old.txt',
    '@@',
    ' same',
    '-before',
    '+after',
    '*** End Patch',
  ].join('\n');
  // As Cline tells it.
  const part = await callAfter({ ...call, kind: 'other', rawInput: { input } });
  assert.equal(part.toolKind, 'edit');
  assert.deepEqual(
    part.content.map(item => item.kind === 'diff' && [item.diff.path, item.diff.added]),
    [
      ['/w/new.txt', 2],
      ['/w/old.txt', 1],
    ],
  );
  assert.deepEqual(
    part.locations.map(({ path }) => path),
    ['/w/new.txt', '/w/old.txt'],
  );
});

test('a replacement in the input is shown as a diff, unless the agent tells one', async () => {
  const rawInput = { file_path: '/w/a.txt', old_string: 'x', new_string: 'y' };
  const part = await callAfter({ ...call, kind: 'edit', rawInput });
  assert.deepEqual(
    part.content.map(item => item.kind),
    ['diff'],
  );
  const told = { type: 'diff', path: '/w/a.txt', oldText: 'x\nz\n', newText: 'y\nz\nnew\n' };
  const kept = await callAfter(
    { ...call, kind: 'edit', content: [told] },
    { ...update, status: 'completed', rawInput },
  );
  const [item] = kept.content;
  assert.equal(item?.kind === 'diff' && item.diff.added, 2);
});

test('a diff with the bare name of a file is one of the file that the call names', async () => {
  // As Qwen Code tells it when the call is over.
  const part = await callAfter(
    { ...call, kind: 'edit', locations: [{ path: '/w/sub/a.txt' }] },
    {
      ...update,
      status: 'completed',
      content: [{ type: 'diff', path: 'a.txt', oldText: 'x', newText: 'y' }],
    },
  );
  const [item] = part.content;
  assert.equal(item?.kind === 'diff' && item.diff.path, '/w/sub/a.txt');
});

test('a call that was never announced is called by its tool, others keep their title', async () => {
  const failed = { ...update, status: 'failed', _meta: { toolName: 'no_such_tool' } };
  assert.equal((await callAfter(failed)).title, 'no_such_tool');
  assert.equal((await callAfter(call, failed)).title, 'Edit');
});

const text = (told: string) => ({ type: 'content', content: { type: 'text', text: told } });

test('a change stays when the agent puts only words in its place, and goes for another', async () => {
  // As OpenCode, Kilo Code and Kimi Code tell that a file is written.
  const diff = { type: 'diff', path: '/w/a.txt', oldText: 'x', newText: 'y\nz' };
  const begun = { ...call, kind: 'edit', content: [diff] };
  const done = await callAfter(
    begun,
    { ...update, content: [text('Writing…')] },
    { ...update, status: 'completed', content: [text('Wrote file successfully.')] },
  );
  const shown = done.content.map(item => (item.kind === 'diff' ? item.diff.added : item));
  assert.equal(shown.length, 2);
  assert.equal(shown[0], 2);
  assert.match(JSON.stringify(shown[1]), /Wrote file/);

  const told = { ...diff, newText: 'y' };
  const other = await callAfter(begun, { ...update, content: [text('Done.'), told] });
  assert.deepEqual(
    other.content.map(item => (item.kind === 'diff' ? item.diff.added : item.kind)),
    ['block', 1],
  );
  assert.deepEqual((await callAfter(begun, { ...update, content: [] })).content, []);
});

test('output of a terminal that stands nowhere is shown in its call, and is over with it', async t => {
  // As Codex tells what it has read.
  const { run, end } = await world();
  t.after(end);
  const terminal_output_delta = { terminal_id: 'c', data: 'alpha\n' };
  const state = await run([
    { update: { ...call, kind: 'read' } },
    { update: { ...update, status: 'completed', _meta: { terminal_output_delta } } },
    done,
  ]);
  const part = state.turns.at(-1)?.parts[0];
  assert.deepEqual(part?.kind === 'tool' && part.content, [{ kind: 'terminal', terminalId: 'c' }]);
  assert.equal(state.terminals['c']?.output, 'alpha\n');
  assert.deepEqual(state.terminals['c'].exit, { exitCode: null, signal: null });
});

test('the results of several commands in one call are shown as what they printed', async () => {
  // As Cline tells them.
  const rawOutput = ['one', 'two\n'].map(result => ({ query: 'c', result, success: true }));
  const part = await callAfter(
    { ...call, kind: 'execute' },
    { ...update, status: 'completed', rawOutput },
  );
  const [item] = part.content;
  const block = item?.kind === 'block' ? item.block : undefined;
  assert.equal(block?.kind === 'text' && block.text.text, 'one\ntwo\n');
});
