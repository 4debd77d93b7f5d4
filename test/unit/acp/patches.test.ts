import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readApplyPatch } from '../../../src/session/translate/edits/applyPatch';
import type { Change } from '../../../src/session/translate/edits/diffs';
import { proposalOf, withProposal } from '../../../src/session/translate/edits/proposals';
import { readUnifiedDiff } from '../../../src/session/translate/edits/unifiedDiff';

/** `change path [from oldPath]` and the texts. */
function short({ change, path, oldPath, oldText, newText, line }: Change): readonly unknown[] {
  const from = oldPath === undefined ? '' : ` from ${oldPath}`;
  const at = line === undefined ? '' : ` at ${line}`;
  return [`${change} ${path}${from}${at}`, oldText, newText];
}

const patches: Readonly<Record<string, readonly [text: readonly string[], ...told: unknown[][]]>> =
  {
    'a deletion among hunks': [
      ['*** Update File: a', '@@', '-x', '+y', '*** Delete File: secret', '*** Add File: n', '+1'],
      ['modified a', 'x\n', 'y\n'],
      ['deleted secret', null, ''],
      ['added n', null, '1\n'],
    ],
    'a move with hunks': [
      ['*** Update File: old', '*** Move to: new', '@@ f()', ' s', '-x', '@@', '+y'],
      ['moved new from old', 's\nx\n', 's\n'],
      ['moved new from old', '', 'y\n'],
    ],
    'a move without hunks': [
      ['*** Update File: old', '*** Move to: new'],
      ['moved new from old', null, ''],
    ],
    'a file that is added empty': [['*** Add File: empty'], ['added empty', null, '']],
    'paths with blanks': [
      ['*** Delete File: a b/c d.txt  ', '*** Add File: e f', '+'],
      ['deleted a b/c d.txt', null, ''],
      ['added e f', null, '\n'],
    ],
    'the end of the file, and empty lines within a hunk': [
      ['*** Update File: a', '@@', ' s', '', '-x', '*** End of File', '', '*** Delete File: b'],
      ['modified a', 's\n\nx\n', 's\n\n'],
      ['deleted b', null, ''],
    ],
    'text that looks like a head': [
      ['*** Update File: a', '@@', ' *** Delete File: b', '+*** Delete File: c'],
      ['modified a', '*** Delete File: b\n', '*** Delete File: b\n*** Delete File: c\n'],
    ],
    'an indented head after a file that is added': [
      ['*** Add File: a', '+x', '  *** Delete File: b'],
      ['added a', null, 'x\n'],
      ['deleted b', null, ''],
    ],
  };

for (const end of ['\n', '\r\n']) {
  for (const [what, [text, ...told]] of Object.entries(patches)) {
    test(`apply_patch, lines ended by ${JSON.stringify(end)}: ${what}`, () => {
      const patch = ['*** Begin Patch', ...text, '*** End Patch', ''].join(end);
      const read = readApplyPatch(patch);
      assert.deepEqual(read.changes.map(short), told);
      assert.ok(read.complete, read.rest);
    });
  }
}

const diffs: Readonly<Record<string, readonly [text: readonly string[], ...told: unknown[][]]>> = {
  'hunks with their lines': [
    ['--- a/x\t2024-01-01', '+++ b/x', '@@ -3,2 +3,1 @@ f', ' s', '-x', '@@ -9 +8 @@', '-y', '+z'],
    ['modified x at 3', 's\nx\n', 's\n'],
    ['modified x at 8', 'y\n', 'z\n'],
  ],
  'paths as they are': [
    ['Index: /w/a b', '====', '--- /w/a b', '+++ /w/a b', '@@ -1 +1 @@', '-x', '+y'],
    ['modified /w/a b at 1', 'x\n', 'y\n'],
  ],
  'new and deleted files': [
    [
      ...['diff --git a/n b/n', 'new file mode 100644', 'index 0000000..1234567'],
      ...['--- /dev/null', '+++ b/n', '@@ -0,0 +1,2 @@', '+1', '+2'],
      ...['diff --git a/d b/d', 'deleted file mode 100644', 'index 1234567..0000000'],
      ...['--- a/d', '+++ /dev/null', '@@ -1 +0,0 @@', '-x'],
      ...['diff --git a/e b/e', 'new file mode 100644', 'index 0000000..e69de29'],
      ...['diff --git a/f b/f', 'deleted file mode 100755', 'index e69de29..0000000'],
    ],
    ['added n at 1', null, '1\n2\n'],
    ['deleted d at 1', 'x\n', ''],
    ['added e', null, ''],
    ['deleted f', null, ''],
  ],
  'moves with and without hunks': [
    [
      ...['diff --git a/o b/m', 'similarity index 100%', 'rename from o', 'rename to m'],
      ...['diff --git a/p b/q', 'similarity index 90%', 'rename from p', 'rename to q'],
      ...['index 1234567..1234568 100644', '--- a/p', '+++ b/q', '@@ -1 +1 @@', '-x', '+y'],
    ],
    ['moved m from o', null, ''],
    ['moved q from p at 1', 'x\n', 'y\n'],
  ],
  'no line end, and lines that look like a head': [
    [
      ...['--- a/x', '+++ b/x', '@@ -1,2 +1,2 @@', '--- old', '+++ new', ' s'],
      '\\ No newline at end of file',
    ],
    ['modified x at 1', '-- old\ns', '++ new\ns'],
  ],
  'names in quotes': [
    ['--- "a/gr\\303\\274n \\"x\\""', '+++ "b/gr\\303\\274n \\"x\\""', '@@ -1 +1 @@', '-x', '+y'],
    ['modified grün "x" at 1', 'x\n', 'y\n'],
  ],
};

for (const [what, [text, ...told]] of Object.entries(diffs)) {
  test(`a unified diff: ${what}`, () => {
    const read = readUnifiedDiff([...text, ''].join('\n'));
    assert.deepEqual(read.changes.map(short), told);
    assert.ok(read.complete, read.rest);
  });
}

test('what is not understood is kept', () => {
  for (const [text, rest] of [
    ['*** Begin Patch\n*** Rename File: a\n*** Delete File: b\n*** End Patch', 'Rename'],
    ['apply_patch <<EOF\n*** Delete File: b', 'EOF'],
    ['*** Begin Patch\n*** Add File: b\nrm -rf', 'rm -rf'],
    ['--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n+z', '\\+z'],
    ['diff --git a/b b/b\nold mode 100644\nnew mode 100755', 'new mode 100755'],
    ['diff --git a/b b/b\nnew file mode 120000', '120000'],
    ['Binary files a/b and b/b differ', 'Binary'],
    ['Index: other\n====\n--- b\n+++ b\n@@ -1 +1 @@\n-x\n+y', 'other'],
    ['--- b\n+++ b\n@@ -1 +1 @@\n-x\n+y\nIndex: other', 'other'],
    ['diff --git a/b b/b\nindex 0..1 rm -rf', 'rm -rf'],
    ['diff --git a/b b/b\nsimilarity index rm -rf', 'rm -rf'],
  ] as const) {
    const read = proposalOf({ patch: text }, 'edit');
    assert.equal(read.changes[0]?.path, 'b', text);
    assert.equal(read.complete, false, text);
    assert.match(read.rest, new RegExp(rest), text);
  }
});

const inputs: Readonly<Record<string, readonly [input: unknown, ...told: unknown[][]]>> = {
  'a list of replacements': [
    {
      file_path: 'a',
      edits: [
        { old_string: 'x', new_string: 'y' },
        { old_string: '', new_string: 'z' },
      ],
    },
    ['modified a', 'x', 'y'],
    ['modified a', '', 'z'],
  ],
  'replacements of several files': [
    {
      edits: [
        { path: 'a', oldText: 'x', newText: '' },
        { path: 'b', oldText: 'x', newText: 'y' },
      ],
    },
    ['modified a', 'x', ''],
    ['modified b', 'x', 'y'],
  ],
  'a whole file': [{ file_path: 'a', content: 'x' }, ['modified a', null, 'x']],
  'a diff beside its path': [
    { filepath: 'a', diff: '@@ -2 +2 @@\n-x\n+y' },
    ['modified a at 2', 'x\n', 'y\n'],
  ],
  'a patch beside a replacement': [
    {
      patch: '*** Begin Patch\n*** Delete File: b\n*** End Patch',
      path: 'a',
      old_str: 'x',
      new_str: 'y',
    },
    ['deleted b', null, ''],
    ['modified a', 'x', 'y'],
  ],
  'changes by path': [
    {
      changes: {
        '/a': { type: 'add', content: 'x' },
        '/d': { type: 'delete', content: 'gone' },
        '/o': { type: 'update', unified_diff: '@@ -1 +1 @@\n-x\n+y', move_path: '/m' },
        '/e': { delete: { content: 'gone' } },
        '/n': { type: 'update', unified_diff: '', move_path: '/k' },
      },
    },
    ['added /a', null, 'x'],
    ['deleted /d', 'gone', ''],
    ['moved /m from /o at 1', 'x\n', 'y\n'],
    ['deleted /e', 'gone', ''],
    ['moved /k from /n', null, ''],
  ],
  'no change': [{ path: 'a', query: 'x' }],
};

for (const [what, [input, ...told]] of Object.entries(inputs)) {
  test(`an input: ${what}`, () => {
    assert.deepEqual(proposalOf(input, 'edit').changes.map(short), told);
  });
}

test('a text beside a path is a file only of a tool that edits', () => {
  assert.deepEqual(proposalOf({ path: 'a', content: 'x' }, 'other').changes, []);
  assert.deepEqual(proposalOf({ path: 'a', content: 'x' }, 'read').changes, []);
});

const name = fc.stringMatching(/^[\w.-](?:[\w ./-]{0,8}[\w.-])?$/);
const lines = fc.array(fc.stringMatching(/^[ +-][ -~]{0,6}$/), { minLength: 1, maxLength: 4 });
const hunks = fc.array(lines, { maxLength: 3 });
const entry = fc.oneof(
  fc.record({ fate: fc.constant('added'), path: name, body: hunks }),
  fc.record({ fate: fc.constant('deleted'), path: name }),
  fc.record({ fate: fc.constant('modified'), path: name, body: hunks }),
  fc.record({ fate: fc.constant('moved'), path: name, from: name, body: hunks }),
);
type Entry = typeof entry extends fc.Arbitrary<infer E> ? E : never;

const HEADS: Readonly<Record<string, string>> = { added: 'Add', deleted: 'Delete' };

function applyPatchOf(told: Entry): readonly string[] {
  const at = 'from' in told ? told.from : told.path;
  const head = `*** ${HEADS[told.fate] ?? 'Update'} File: ${at}`;
  const move = 'from' in told ? [`*** Move to: ${told.path}`] : [];
  const body = 'body' in told ? told.body : [];
  if (told.fate === 'added') return [head, ...body.flat().map(line => `+${line}`)];
  return [head, ...move, ...body.flatMap(hunk => ['@@', ...hunk])];
}

function unifiedDiffOf(told: Entry): readonly string[] {
  const from = 'from' in told ? told.from : told.path;
  const body = ('body' in told ? told.body : []).map(hunk =>
    told.fate === 'added' ? hunk.map(line => `+${line}`) : hunk,
  );
  const length = (hunk: readonly string[], other: string) =>
    hunk.filter(line => !line.startsWith(other)).length;
  return [
    `diff --git a/${from} b/${told.path}`,
    ...(told.fate === 'deleted' ? ['deleted file mode 100644'] : []),
    ...(told.fate === 'added' ? ['new file mode 100644'] : []),
    ...('from' in told ? [`rename from ${from}`, `rename to ${told.path}`] : []),
    ...(body.length > 0
      ? [`--- ${told.fate === 'added' ? '/dev/null' : `a/${from}`}`, `+++ b/${told.path}`]
      : []),
    ...body.flatMap(hunk => [`@@ -1,${length(hunk, '+')} +1,${length(hunk, '-')} @@`, ...hunk]),
  ];
}

test('every file of a patch appears with its fate', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (all, end) => {
      const applied = readApplyPatch(
        ['*** Begin Patch', ...all.flatMap(applyPatchOf), '*** End Patch'].join(end),
      );
      const unified = readUnifiedDiff(all.flatMap(unifiedDiffOf).join(end));
      for (const { changes, complete } of [applied, unified]) {
        const found = changes.map(
          ({ change, path, oldPath }) => `${change} ${path} ${oldPath ?? ''}`,
        );
        const wanted = all.map(
          told => `${told.fate} ${told.path} ${'from' in told ? told.from : ''}`,
        );
        // A file has one change for each hunk.
        assert.deepEqual(
          found.filter((text, index) => text !== found[index - 1]),
          wanted.filter((text, index) => text !== wanted[index - 1]),
        );
        assert.ok(complete);
      }
    }),
    { numRuns: 500 },
  );
});

test('no text makes the reader throw, and no line that names a file is lost', () => {
  const piece = fc.constantFrom(
    ...[
      '*** Begin Patch',
      '*** End Patch',
      '*** Delete File: q',
      '*** Move to: q',
      '@@',
      '@@ -1 +1 @@',
    ],
    ...[
      '@@ -1,99 +1,99 @@',
      '--- a/q',
      '+++ b/q',
      '+++ /dev/null',
      'diff --git a/q b/q',
      'rename from q',
    ],
    ...[
      '\\ No newline',
      '+x',
      '-x',
      ' x',
      '',
      'deleted file mode 1',
      'Binary files q and q differ',
      '"',
      '\r',
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), pieces => {
      for (const read of [
        readApplyPatch(pieces.join('\n')),
        readUnifiedDiff(pieces.join('\n'), 'p'),
      ]) {
        const told = JSON.stringify(read);
        assert.equal(
          told.includes('q'),
          pieces.some(text => text.includes('q')),
        );
      }
    }),
    { numRuns: 1000 },
  );
});

test('text without end is read in time with its length', () => {
  const many = 50_000;
  const long = [
    ...['\n', ' ', '*** Delete File: \n', 'Binary files a and ', 'diff --git "', '\\"', '` '],
    ...['--- a\n+++ b\n', '@@\n', '*** Add File:   ', 'rename from ', '@@ -1 +1 @@\n'],
  ].flatMap(piece =>
    ['*** Begin Patch\n', '--- a\n+++ b\n', ''].map(head => head + piece.repeat(many)),
  );
  // Were it quadratic, the run would be ended before this is.
  for (const input of long)
    assert.ok(proposalOf({ patch: input, path: 'a' }, 'edit').changes.length >= 0);
  const edits = Array.from({ length: many }, () => ({ old_string: 'x', new_string: 'y' }));
  assert.equal(proposalOf({ path: 'a', edits }, 'edit').changes.length, many);
});

/** Names of files that are the same at their ends, or not at all. */
const names: readonly ((n: number) => string)[] = [n => `dir${n}/a.ts`, n => `f${n}.ts`, () => 'a'];

test('of many diffs beside many changes each is read a few times, not once for each other', () => {
  for (const name of names) {
    let reads = 0;
    const content = Array.from({ length: 4000 }, (_, n) => ({
      ...{ type: 'diff' as const, oldText: 'x', newText: 'y' },
      get path() {
        reads += 1;
        return `/w/${name(n)}`;
      },
    }));
    const edits = Array.from({ length: 1000 }, (_, n) => ({
      ...{ path: name(n), oldText: 'x', newText: 'y' },
    }));
    const call = withProposal({ toolCallId: 'c', title: 'Edit', content, rawInput: { edits } });
    assert.ok(reads <= 10 * content.length, `${reads}`);
    assert.deepEqual(call.content, content, 'each change is shown');
  }
});
