/** Agents that send a part of a file: the chat has the file's own lines, or none. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { DiffView } from '../../../src/session/state/content';
import type { SessionState } from '../../../src/session/state/state';
import { findToolCall } from '../../../src/session/state/toolCalls';
import { linesOfSnippets } from '../../../src/session/translate/edits/snippetLines';
import { choose } from './choose';
import { world, type World } from './world';

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1};`);
const FILE = `${LINES.join('\n')}\n`;
const replace = (number: number, newText: string) => ({ oldText: `line ${number};`, newText });

describe('the lines of snippets', () => {
  test('are where each is the only one, before the edit or after it', () => {
    const edits = [replace(12, 'twelve;\nand a half;'), replace(30, 'thirty;')];
    const edited = FILE.replace('line 12;', 'twelve;\nand a half;').replace('line 30;', 'thirty;');
    for (const ends of ['\n', '\r\n']) {
      const [before, after] = [FILE, edited].map(text => text.replaceAll('\n', ends));
      assert.deepEqual(linesOfSnippets(before ?? '', edits, 'before'), [12, 31]);
      assert.deepEqual(linesOfSnippets(before ?? '', edits, 'unknown'), [12, 31]);
      assert.deepEqual(linesOfSnippets(after ?? '', edits, 'after'), [12, 31]);
      assert.deepEqual(linesOfSnippets(after ?? '', edits, 'unknown'), [12, 31]);
    }
    assert.deepEqual(linesOfSnippets(FILE, [{ oldText: FILE, newText: 'all' }], 'before'), [1]);
  });

  test('are of what the snippet before it has written', () => {
    const edits = [replace(3, 'three a;\nthree b;'), { oldText: 'three b;', newText: 'b;' }];
    assert.deepEqual(linesOfSnippets(FILE, edits, 'before'), [3, 4]);
  });

  test('are not known where a snippet is there twice, not at all, or in two ways', () => {
    const none: Readonly<Record<string, Parameters<typeof linesOfSnippets>>> = {
      twice: [`${FILE}line 7;\n`, [replace(7, 'x')], 'before'],
      overlapping: ['aaa', [{ oldText: 'aa', newText: 'b' }], 'before'],
      nowhere: [FILE, [replace(77, 'x')], 'unknown'],
      'one of two nowhere': [FILE, [replace(7, 'x'), replace(77, 'x')], 'before'],
      empty: [FILE, [{ oldText: '', newText: 'x' }], 'before'],
      'deleted already': [FILE, [{ oldText: 'gone', newText: '' }], 'after'],
      'before here, after there': [FILE, [replace(7, 'line 9;')], 'unknown'],
      'only what was replaced is left, elsewhere': [FILE, [replace(7, 'seven')], 'after'],
      'too much to look through': ['x'.repeat(60_000_000), [replace(1, 'x')], 'before'],
    };
    for (const [what, given] of Object.entries(none)) {
      assert.equal(linesOfSnippets(...given), undefined, what);
    }
  });

  test('are never another than the one that was edited', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.nat(), line, (lines, at, next) => {
        const index = at % lines.length;
        const snippet = { oldText: lines[index] ?? '', newText: next };
        const before = lines.join('\n');
        const found = linesOfSnippets(before, [snippet], 'before');
        if (found) assert.deepEqual(found, [index + 1]);
        const after = linesOfSnippets(lines.with(index, next).join('\n'), [snippet], 'after');
        if (after) assert.deepEqual(after, [index + 1]);
      }),
    );
  });
});

describe('a chat with an agent that sends snippets', () => {
  let open: World | undefined;
  afterEach(async () => {
    await open?.end();
    open = undefined;
  });

  async function chatIn(text: string): Promise<{ readonly chat: World; readonly file: string }> {
    open = await world();
    const file = join(open.cwd, 'a.txt');
    writeFileSync(file, text);
    return { chat: open, file };
  }

  const diffs = (state: SessionState, id = 'edit'): readonly DiffView[] =>
    (findToolCall(state, id)?.content ?? []).flatMap(item =>
      item.kind === 'diff' ? [item.diff] : [],
    );
  const linesIn = (views: readonly DiffView[]) =>
    views.map(({ hunks, lineUnknown }) => (lineUnknown ? undefined : hunks[0]?.line));
  const call = (path: string, ...numbers: readonly number[]) => ({
    toolCallId: 'edit',
    title: 'edit',
    kind: 'edit',
    content: numbers.map(number => ({ type: 'diff', path, ...replace(number, `new ${number};`) })),
  });
  const ask = (toolCall: object) => ({
    ask: {
      method: 'session/request_permission',
      params: { toolCall, options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] },
    },
    quiet: true,
  });
  const update = (fields: object) => ({ update: { sessionUpdate: 'tool_call_update', ...fields } });

  test('shows the lines of the file when it asks, and still when the same comes again', async () => {
    const { chat, file } = await chatIn(FILE);
    const edit = call(file, 12, 20, 31);
    chat.send([ask(edit), update({ ...edit, status: 'completed' })]);
    const asked = await chat.until(({ permissions: [request] }) =>
      request?.asked.content.every(item => item.kind === 'diff' && !item.diff.lineUnknown),
    );
    assert.deepEqual(linesIn(diffs(asked)), [12, 20, 31]);
    const [request] = asked.permissions;
    assert.equal(request?.changed, undefined, 'nothing has changed of what is asked');
    assert.ok(choose(chat.chat.controller, request?.id, 'yes'));
    const ended = await chat.until(({ activeTurn, turns }) => !activeTurn && turns.length > 0);
    assert.deepEqual(linesIn(diffs(ended)), [12, 20, 31]);
  });

  test('shows them when the edit is done and was not asked about', async () => {
    const { chat, file } = await chatIn(FILE.replace('line 25;', 'new 25;'));
    await chat.run([update({ ...call(file, 25), status: 'completed' })]);
    const state = await chat.until(now => diffs(now).some(({ lineUnknown }) => !lineUnknown));
    assert.deepEqual(linesIn(diffs(state)), [25]);
  });

  test('shows none where the file has the text twice or is not there', async () => {
    const { chat, file } = await chatIn(`${FILE}${FILE}`);
    const good = join(chat.cwd, 'good.txt');
    writeFileSync(good, FILE);
    const missing = { ...call(join(chat.cwd, 'missing.txt'), 5), toolCallId: 'missing' };
    const last = { ...call(good, 9), toolCallId: 'last' };
    await chat.run([update(missing), update(call(file, 5)), update(last)]);
    // One after the other: when the last is found, the others have been looked for in vain.
    const state = await chat.until(now => linesIn(diffs(now, 'last'))[0] === 9);
    const others = [...diffs(state, 'missing'), ...diffs(state)];
    assert.deepEqual(linesIn(others), [undefined, undefined]);
  });
});
