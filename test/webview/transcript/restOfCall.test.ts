import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DiffView } from '../../../src/session/state/content';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import type { ToolCallPart, ToolContent } from '../../../src/session/state/state';
import { restOfCall } from '../../../webview/transcript/restOfCall';
import { withPanel, type Panel } from '../harness';
import { stateNamed } from '../states';
import { AGENT, DIFF, T0, asked, connected } from '../story';
import { tool } from './tool';

const CWD = '/work/parcel-api';
const TEXT = { kind: 'block', block: { kind: 'text', text: { text: '', truncated: false } } };
const changed = (path: string): ToolContent => ({ kind: 'diff', diff: { ...DIFF, path } });
const said = (text: string): ToolContent =>
  ({ ...TEXT, block: { kind: 'text', text: { text, truncated: false } } }) as ToolContent;

function call(kind: string, rawInput: unknown, more: Partial<ToolCallPart> = {}): ToolCallPart {
  return {
    kind: 'tool',
    id: 'part',
    toolCallId: 'call',
    title: 'Edit a.ts',
    toolKind: kind,
    status: 'completed',
    content: [],
    locations: [],
    startedAt: T0,
    ...(rawInput !== undefined && {
      rawInput: { text: JSON.stringify(rawInput), truncated: false },
    }),
    ...more,
  };
}

/** What agents send for an edit of a.ts, which its card shows as a change. */
const EDITS: Readonly<Record<string, unknown>> = {
  'Claude Code': { file_path: `${CWD}/a.ts`, old_string: 'a', new_string: 'b', replace_all: false },
  'a whole file': { file_path: `${CWD}/a.ts`, content: 'b' },
  Gemini: { file_path: `${CWD}/a.ts`, old_string: 'a', new_string: 'b', expected_replacements: 1 },
  OpenCode: { filePath: 'a.ts', oldString: 'a', newString: 'b' },
  'a list': { path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
  Codex: { changes: { [`${CWD}/a.ts`]: { type: 'update', unified_diff: '-a\n+b' } } },
  'a patch': '*** Begin Patch\n*** Update File: a.ts\n-a\n+b\n*** End Patch',
  nothing: {},
};

describe('of the input of an edit its card shows again', () => {
  for (const [name, input] of Object.entries(EDITS)) {
    test(`nothing: ${name}`, () => {
      const edit = call('edit', input, { content: [changed(`${CWD}/a.ts`)] });
      assert.deepEqual(restOfCall(edit, CWD), {});
    });
  }

  test('what is not understood, and nothing else', () => {
    const input = { file_path: 'a.ts', old_string: 'a', new_string: 'b', dry_run: true };
    const edit = call('edit', input, { content: [changed(`${CWD}/a.ts`)] });
    assert.deepEqual(JSON.parse(restOfCall(edit, CWD).input?.text ?? ''), { dry_run: true });
  });

  test('all of it, where the card shows no change of that file, or the input is cut', () => {
    const input = { file_path: 'a.ts', old_string: 'a', new_string: 'b' };
    for (const content of [[], [changed(`${CWD}/b.ts`)]]) {
      const edit = call('edit', input, { content });
      assert.deepEqual(restOfCall(edit, CWD).input, edit.rawInput);
    }
    const rawInput = { text: '{"file_path":"a.ts","content":"b', truncated: true };
    const cut = call('edit', undefined, { rawInput, content: [changed(`${CWD}/a.ts`)] });
    assert.deepEqual(restOfCall(cut, CWD).input, rawInput);
  });
});

describe('of other calls it shows again', () => {
  test('of a read what its place does not say', () => {
    const locations = [{ path: `${CWD}/a.ts` }];
    const read = (input: object) => restOfCall(call('read', input, { locations }), CWD);
    assert.deepEqual(read({ file_path: `${CWD}/a.ts` }), {});
    assert.deepEqual(JSON.parse(read({ path: 'a.ts', limit: 3 }).input?.text ?? ''), { limit: 3 });
  });

  test('of a command what is no command', () => {
    const run = restOfCall(call('execute', { command: 'npm test', cwd: CWD, timeout: 5 }), CWD);
    assert.deepEqual(JSON.parse(run.input?.text ?? ''), { timeout: 5 });
    assert.deepEqual(restOfCall(call('execute', { command: ['npm', 'test'] }), CWD), {});
  });

  test('no output that stands there as content', () => {
    const rawOutput = { text: 'done\n', truncated: false };
    const shown = { content: [said('```\ndone\n```')], rawOutput };
    assert.deepEqual(restOfCall(call('other', undefined, shown), CWD), {});
    const other = { content: [said('not yet')], rawOutput };
    assert.deepEqual(restOfCall(call('other', undefined, other), CWD), { output: rawOutput });
  });
});

async function show(panel: Panel, ...calls: Parameters<typeof tool>[]): Promise<void> {
  const place = { chatId: 'chat-1', agentName: AGENT, cwd: CWD, at: T0 };
  const actions = [...connected(), ...asked(), ...calls.map(given => tool(...given))];
  await panel.panelState(stateNamed('streaming').panel);
  await panel.snapshot(actions.reduce(reduce, initialSession(place)), T0 + 42_000);
}

const input = (value: unknown) => ({ text: JSON.stringify(value), truncated: false });

test('a card has no row for what it shows, and one that opens for a long command', async () => {
  await withPanel({ width: 289 }, async panel => {
    const diff: DiffView = { ...DIFF, path: `${CWD}/a.ts` };
    const change = { file_path: diff.path, old_string: 'a', new_string: 'b' };
    const line = "for file in $(git ls-files)\ndo echo $file '\"'\ndone";
    await show(
      panel,
      ['e', { toolKind: 'edit', content: [{ kind: 'diff', diff }], rawInput: input(change) }],
      ['s', { toolKind: 'execute', rawInput: input({ command: 'npm test' }) }],
      ['l', { toolKind: 'execute', rawInput: input({ command: line }) }],
    );
    const card = (id: string) => panel.page.locator(`[data-tool-call-id="${id}"]`);
    assert.equal(await card('e').locator('.raws').count(), 0);
    assert.equal(await card('s').locator('details, .raws').count(), 0);
    await card('l').locator('summary').first().click();
    await card('l').locator('summary', { hasText: 'Command' }).last().click();
    assert.equal(await card('l').locator('.raws pre').textContent(), line);
  });
});
