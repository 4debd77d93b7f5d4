/** What calls say of files, in all the forms that agents have for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compatibility } from '../../../src/acp/compat/compatibility';
import { sessionNotification } from '../../../src/acp/schema/guards/updates';
import type { DiffView } from '../../../src/session/state/content';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import type { SessionState, ToolCallPart } from '../../../src/session/state/state';
import { findToolCall } from '../../../src/session/state/toolCalls';
import { Contents, type FileDiff } from '../../../src/session/translate/contents';
import { readDiffs } from '../../../src/session/translate/edits/readDiffs';
import { Translator } from '../../../src/session/translate/translate';

const FILE = 'fun main() {\n}\n';
const path = '/w/a.kt';

/** The call after these messages, and the diffs that it shows. */
function told(...messages: readonly object[]): {
  readonly part: ToolCallPart;
  readonly diffs: readonly DiffView[];
  readonly kept: readonly FileDiff[];
  /** Whole, also where the card shows only a beginning. */
  readonly texts: readonly string[];
} {
  let ids = 0;
  const door = new Compatibility();
  const contents = new Contents();
  const environment = { now: () => 0, newId: () => `${++ids}`, after: () => ({ dispose() {} }) };
  const translator = new Translator(contents, environment);
  let state: SessionState = initialSession({ chatId: 'c', agentName: 'A', cwd: '/w', at: 0 });
  for (const [index, message] of messages.entries()) {
    const sent = { sessionUpdate: 'tool_call_update', toolCallId: 'c', ...message };
    const [read] = door.updates('session/update', { sessionId: 's', update: sent }) ?? [];
    const update = sessionNotification(read)?.update;
    assert.ok(update?.sessionUpdate === 'tool_call_update');
    const how = index === 0 ? 'announced' : 'changed';
    state = translator.toolCall(state, update, how).reduce(reduce, state);
  }
  const part = findToolCall(state, 'c');
  assert.ok(part);
  const diffs = part.content.flatMap(item => (item.kind === 'diff' ? [item.diff] : []));
  const kept = diffs.flatMap(({ ref }) => {
    const content = contents.get(ref);
    return content?.kind === 'diff' ? [content.diff] : [];
  });
  const texts = part.content.flatMap(item => {
    if (item.kind !== 'block' || item.block.kind !== 'text') return [];
    const { text, ref } = item.block.text;
    const whole = ref === undefined ? undefined : contents.get(ref);
    return [whole?.kind === 'text' ? whole.text : text];
  });
  return { part, diffs, kept, texts };
}

const call = { title: 'Edit', kind: 'edit' };
const diff = { type: 'diff', path };
const marked = (kind: string) => ({ _meta: { kind } });
const patch = (...lines: readonly string[]) => ({
  patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

test('a deletion is one in each of its forms', () => {
  const forms: Readonly<Record<string, readonly [item: object, isKnown: boolean]>> = {
    'the same text twice': [{ oldText: FILE, newText: FILE, ...marked('delete') }, true],
    'no new text': [{ oldText: FILE, newText: null, ...marked('delete') }, true],
    'no new text and no mark': [{ oldText: FILE, newText: null }, true],
    'no new text and another mark': [{ oldText: FILE, newText: null, ...marked('update') }, true],
    'no new text at all': [{ oldText: FILE }, true],
    'no text at all': [{ ...marked('delete') }, false],
    'an old text that was not read': [{ oldText: null, newText: '', ...marked('delete') }, false],
    'an old text that is empty': [{ oldText: '', newText: '', ...marked('remove') }, false],
    'an empty new text': [{ oldText: FILE, newText: '', ...marked('Delete') }, true],
    'old content': [{ oldContent: FILE }, true],
  };
  for (const [form, [item, isKnown]] of Object.entries(forms)) {
    const { diffs, kept } = told({ ...call, content: [{ ...diff, ...item }] });
    const [view] = diffs;
    assert.equal(view?.change, 'deleted', form);
    assert.deepEqual([view.added, view.removed], [0, isKnown ? 2 : 0], form);
    assert.equal(view.oldTextUnknown, isKnown ? undefined : true, form);
    assert.deepEqual(
      kept.map(({ oldText, newText }) => [oldText, newText]),
      [[isKnown ? FILE : null, '']],
      form,
    );
  }
  const byKind = { title: 'Delete', kind: 'delete' };
  const { diffs } = told({ ...byKind, content: [{ ...diff, oldText: FILE, newText: '' }] });
  assert.equal(diffs[0]?.change, 'deleted');
});

test('what deletes nothing is no deletion, and what had text is not new', () => {
  const forms: Readonly<Record<string, readonly [item: object, change: string]>> = {
    'an emptied snippet': [{ oldText: 'x\n', newText: '' }, 'modified'],
    'an emptied snippet with a mark': [
      { oldText: 'x', newText: '', ...marked('modify') },
      'modified',
    ],
    'the same text twice': [{ oldText: FILE, newText: FILE }, 'modified'],
    'text into an empty file': [{ oldText: '', newText: 'x\n', ...marked('modify') }, 'modified'],
    'a text that was not read': [{ oldText: null, newText: 'x', ...marked('update') }, 'modified'],
    'a new file that had text': [{ oldText: 'x', newText: 'y', ...marked('add') }, 'modified'],
    'a new file': [{ oldText: null, newText: 'x' }, 'added'],
    'a new file without an old text': [{ newText: 'x' }, 'added'],
    'a new file with an empty one': [{ oldText: '', newText: 'x', ...marked('add') }, 'added'],
    'an empty new file': [{ oldText: null, newText: '', ...marked('add') }, 'added'],
  };
  for (const [form, [item, change]] of Object.entries(forms)) {
    const { diffs } = told({ ...call, content: [{ ...diff, ...item }] });
    assert.equal(diffs[0]?.change, change, form);
  }
  const insertion = { ...diff, oldText: '', newText: 'x\n' };
  const { diffs } = told({
    ...call,
    content: [insertion, { ...diff, oldText: 'y\n', newText: 'z\n' }],
  });
  assert.deepEqual(
    diffs.map(({ change }) => change),
    ['modified', 'modified'],
  );
});

const fates = (diffs: readonly DiffView[]) =>
  diffs.map(view => [
    view.change,
    view.path,
    ...(view.oldPath === undefined ? [] : [view.oldPath]),
  ]);

test('a patch that deletes and moves beside its hunks shows every file', () => {
  const { diffs } = told({
    ...call,
    rawInput: patch(
      ...['*** Update File: src/app.ts', '@@', '-x', '+y', '*** Delete File: src/secret.ts'],
      ...['*** Update File: src/old.ts', '*** Move to: src/new.ts', '@@', '-x', '+y'],
    ),
  });
  assert.deepEqual(fates(diffs), [
    ['modified', 'src/app.ts'],
    ['deleted', 'src/secret.ts'],
    ['moved', 'src/new.ts', 'src/old.ts'],
  ]);
});

test('files of the input that the content does not show are added to it, whichever comes first', () => {
  const content = [{ ...diff, path: '/w/src/app.ts', oldText: 'x\n', newText: 'y\n' }];
  const rawInput = patch(
    ...['*** Update File: src/app.ts', '@@', '-x', '+y', '*** Delete File: src/secret.ts'],
    ...['*** Rename File: what'],
  );
  const words = { type: 'content', content: { type: 'text', text: 'Wrote it.' } };
  const orders: Readonly<Record<string, readonly object[]>> = {
    together: [{ ...call, content, rawInput }],
    'the input first': [{ ...call, rawInput }, { content }],
    'the content first': [{ ...call, content }, { rawInput }],
    'the input again': [
      { ...call, content, rawInput },
      { rawInput, status: 'completed' },
    ],
    'the content again': [{ ...call, content, rawInput }, { content }],
  };
  for (const [order, messages] of Object.entries(orders)) {
    const { part, diffs } = told(...messages);
    const wanted = [
      ['modified', '/w/src/app.ts'],
      ['deleted', 'src/secret.ts'],
    ];
    assert.deepEqual(fates(diffs), wanted, order);
    assert.match(JSON.stringify(part.content.slice(2)), /Rename File: what/, order);
    assert.equal(part.content.length, 3, order);
  }
  const after = told({ ...call, rawInput }, { content: [words], status: 'completed' });
  assert.deepEqual(fates(after.diffs), [
    ['modified', 'src/app.ts'],
    ['deleted', 'src/secret.ts'],
  ]);
  const beside = told({ ...call, content: [words], rawInput });
  assert.equal(beside.diffs.length, 2);
});

test('what the input says of a file counts for the content that does not', () => {
  const changes = {
    '/w/a': { type: 'delete', content: 'x' },
    '/w/o': { type: 'update', unified_diff: '@@ -1 +1 @@\n-x\n+y', move_path: '/w/m' },
  };
  const { diffs } = told({
    ...call,
    rawInput: { changes },
    content: [
      { ...diff, path: '/w/a', oldText: 'x', newText: '' },
      { ...diff, path: '/w/m', oldText: 'x', newText: 'y' },
    ],
  });
  assert.deepEqual(fates(diffs), [
    ['deleted', '/w/a'],
    ['moved', '/w/m', '/w/o'],
  ]);
  const hidden = told({
    ...call,
    rawInput: { changes: { '/w/a': { type: 'delete', content: 'x' } } },
    content: [{ ...diff, path: '/w/a', oldText: 'x', newText: 'harmless' }],
  });
  assert.deepEqual(fates(hidden.diffs), [
    ['modified', '/w/a'],
    ['deleted', '/w/a'],
  ]);
});

test('an input that is still being written grows, and its changes with it', () => {
  const whole = ['*** Begin Patch', '*** Update File: a', '@@', '-x', '+y', '*** Delete File: b'];
  const inputs = whole.map((_, index) => ({ input: whole.slice(0, index + 1).join('\n') }));
  const { part, diffs } = told(call, ...inputs.map(rawInput => ({ rawInput })));
  assert.deepEqual(fates(diffs), [
    ['modified', 'a'],
    ['deleted', 'b'],
  ]);
  assert.deepEqual([diffs[0]?.added, diffs[0]?.removed, part.content.length], [1, 1, 2]);
});

test('a file that is written whole is not called new', () => {
  const { diffs } = told({ ...call, rawInput: { file_path: path, content: 'x\ny\n' } });
  assert.deepEqual(fates(diffs), [['modified', path]]);
  assert.deepEqual([diffs[0]?.oldTextUnknown, diffs[0]?.added], [true, 2]);
});

test('a file that Claude writes is new once told', () => {
  const write = {
    name: 'Write',
    content: [{ ...diff, oldText: null, newText: 'x' }],
    rawInput: { file_path: path, content: 'x' },
  };
  const response = (type: string, originalFile: string | null) => ({
    _meta: {
      claudeCode: {
        toolName: 'Write',
        toolResponse: { type, filePath: path, content: 'x', originalFile },
      },
    },
  });
  assert.deepEqual(fates(told({ ...call, ...write }).diffs), [['modified', path]]);
  const made = told({ ...call, ...write }, response('create', null), { status: 'completed' });
  assert.deepEqual(fates(made.diffs), [['added', path]]);
  const over = told({ ...call, ...write }, response('update', 'was'));
  assert.deepEqual(fates(over.diffs), [['modified', path]]);
  assert.equal(over.kept[0]?.oldText, 'was');
});

test('blocks of a file begin at the lines that the call names for them', () => {
  const block = (n: number) => ({ ...diff, oldText: `l${n}\n`, newText: `m${n}\n` });
  const places = (...lines: readonly number[]) => lines.map(line => ({ path, line }));
  const linesOf = (content: readonly object[], locations: readonly object[]) =>
    told({ ...call, content, locations }).diffs.flatMap(({ hunks }) =>
      hunks.map(({ line }) => line),
    );
  assert.deepEqual(linesOf([block(1), block(2), block(3)], places(10, 20, 30)), [10, 20, 30]);
  assert.deepEqual(linesOf([block(1)], places(10)), [10]);
  assert.deepEqual(linesOf([block(1), block(2)], places(10)), [1, 1]);
  assert.deepEqual(linesOf([block(1)], []), [1]);
  const rows = Array.from({ length: 40 }, (_, n) => `${n}\n`);
  const whole = { ...diff, oldText: rows.join(''), newText: rows.toSpliced(29, 1, 'x\n').join('') };
  // The file is there whole: its lines are counted.
  assert.deepEqual(linesOf([whole], places(30)), [27]);
});

test('of many places each is read for the diffs that are shown, not for every one', () => {
  const content = Array.from({ length: 20_000 }, (_, n) => ({
    ...{ type: 'diff' as const, oldText: 'x\n', newText: 'y\n' },
    path: `dir${n}/a.ts`,
  }));
  let reads = 0;
  const locations = Array.from({ length: 400 }, (_, n) => ({
    line: n + 5,
    get path() {
      reads += 1;
      return `/w/dir${n}/a.ts`;
    },
  }));
  for (const places of [[], [locations], [[], locations]]) {
    reads = 0;
    const read = readDiffs(content, 'edit', places);
    assert.ok(reads <= 2_000 * locations.length, `${reads}`);
    assert.equal(read.length, content.length);
    const [first] = read;
    assert.ok(first && !('type' in first));
    const isNamed = places.length > 0;
    assert.equal(first.path, isNamed ? '/w/dir0/a.ts' : 'dir0/a.ts');
    assert.equal(first.line, isNamed ? 5 : undefined);
  }
});

test('a change stays what it is when words take its place', () => {
  const item = { ...diff, oldText: FILE, newText: null };
  const words = { type: 'content', content: { type: 'text', text: 'Done.' } };
  const { diffs } = told({ ...call, content: [item] }, { content: [words], status: 'completed' });
  assert.deepEqual(fates(diffs), [['deleted', path]]);
});

test('of a patch of a thousand files each is named, and what its content shows is not named again', () => {
  const paths = Array.from({ length: 1000 }, (_, n) => `dir/file${n}.ts`);
  const rawInput = patch(...paths.map(name => `*** Delete File: ${name}`));
  const content = paths
    .slice(0, 150)
    .map(name => ({ ...diff, path: `/w/${name}`, oldText: 'x', newText: null }));
  for (const messages of [[{ ...call, rawInput }], [{ ...call, rawInput, content }]]) {
    const { diffs, texts } = told(...messages);
    const shown = [...diffs.map(view => view.path), ...texts].join('\n');
    for (const name of paths) assert.equal(shown.split(`${name}`).length, 2, name);
  }
});
