import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AFTER, BEFORE, PATCHES, PATHS, WHOLE } from '../../../src/session/state/changeFields';
import { UNIFIED } from '../../../src/session/translate/edits/proposals';
import { restOfInput, type ShownParts } from '../../../src/session/requests/restOfInput';
import { commandInput } from '../../../src/session/state/commandInput';

const CWD = '/w';
const shown = (input: unknown, more: Partial<ShownParts> = {}): ShownParts => ({
  commandFields: commandInput(input)?.fields ?? [],
  diffs: [],
  texts: [],
  cwd: CWD,
  ...more,
});
const DIFF = { path: '/w/a.txt', oldText: 'one\ntwo\n', newText: 'one\nzwei\n' };

describe('the command of an input', () => {
  for (const [input, line, shell] of [
    [{ command: 'ls' }, 'ls', undefined],
    [{ cmd: 'ls' }, 'ls', undefined],
    [{ command: 'ls', args: ['-l', 'a b'] }, "ls -l 'a b'", undefined],
    [{ command: ['bash', '-lc', 'ls'] }, 'ls', 'bash -lc'],
    [{ command: ['/bin/zsh', '-c', 'ls'] }, 'ls', '/bin/zsh -c'],
    [{ command: ['/w/x/bash', '-lc', 'ls'] }, '/w/x/bash -lc ls', undefined],
    [{ command: ['./sh', '-c', 'ls'] }, './sh -c ls', undefined],
    [{ command: ['bash', '-lc', 'ls', 'x'] }, 'bash -lc ls x', undefined],
    [{ command: ['a', { b: 1 }] }, `a '{"b":1}'`, undefined],
    [{ command: ['bash', '-c', ['rm', '-rf']] }, `bash -c '["rm","-rf"]'`, undefined],
    [{ command: '' }, undefined, undefined],
    [{ command: 5 }, undefined, undefined],
    ['ls', undefined, undefined],
  ] as const) {
    test(JSON.stringify(input), () => {
      const command = commandInput(input);
      assert.equal(command?.line, line);
      assert.equal(command?.shell, shell);
    });
  }
});

describe('what of an input is shown nowhere else', () => {
  const cases: readonly (readonly [string, unknown, Partial<ShownParts>, unknown])[] = [
    ['nothing of a plain command', { command: 'ls', cwd: '/etc' }, {}, undefined],
    [
      'a second command and the environment',
      { command: 'ls', cmd: 'rm -rf ~', env: { LD_PRELOAD: 'x.so' } },
      {},
      { cmd: 'rm -rf ~', env: { LD_PRELOAD: 'x.so' } },
    ],
    ['a second folder', { command: 'ls', cwd: '/w', workdir: '/etc' }, {}, { workdir: '/etc' }],
    [
      'no description that stands beside it',
      { command: 'ls', description: 'Lists' },
      { texts: ['Lists'] },
      undefined,
    ],
    [
      'a description that only the title may say',
      { description: 'A title' },
      {},
      { description: 'A title' },
    ],
    ['a description of its own', { description: 'Lists' }, {}, { description: 'Lists' }],
    [
      'all of what is no command',
      { path: '/w/a', deep: { x: [1] } },
      {},
      { path: '/w/a', deep: { x: [1] } },
    ],
    ['a text', 'do it', {}, 'do it'],
    ['nothing', null, {}, undefined],
    [
      'nothing of an edit as Claude has it, but its flags',
      { file_path: '/w/a.txt', old_string: 'two', new_string: 'zwei', replace_all: true },
      { diffs: [DIFF] },
      { replace_all: true },
    ],
    [
      'nothing of an edit as opencode has it',
      {
        filepath: '/w/a.txt',
        diff: 'Index: /w/a.txt\n====\n--- /w/a.txt\n+++ /w/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n',
      },
      { diffs: [DIFF] },
      undefined,
    ],
    [
      'nothing of an edit as Codex has it, but its bookkeeping',
      { call_id: 'c', changes: { '/w/a.txt': { type: 'add', content: 'one\nzwei\n' } } },
      { diffs: [DIFF] },
      { call_id: 'c' },
    ],
    [
      'a deletion that no diff shows',
      { changes: { '/w/a.txt': { type: 'add', content: 'one' }, '/w/b': { type: 'delete' } } },
      { diffs: [DIFF] },
      { changes: { '/w/a.txt': { type: 'add', content: 'one' }, '/w/b': { type: 'delete' } } },
    ],
    [
      'a patch of which a file is not shown',
      {
        patchText:
          '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+zwei\n*** Delete File: b.txt\n*** End Patch',
      },
      { diffs: [DIFF] },
      {
        patchText:
          '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+zwei\n*** Delete File: b.txt\n*** End Patch',
      },
    ],
    [
      'a command beside an edit, also one that stands in the file',
      { file_path: 'a.txt', run: 'one' },
      { diffs: [DIFF] },
      { run: 'one' },
    ],
    [
      'another file beside the one that is shown',
      { file_path: '/w/a.txt', path: '/etc/passwd' },
      { diffs: [DIFF] },
      { path: '/etc/passwd' },
    ],
  ];
  for (const [name, input, more, rest] of cases) {
    test(name, () => {
      assert.deepEqual(restOfInput(input, shown(input, more)), rest);
    });
  }
});

const SWAPPED = { path: '/w/a.txt', oldText: 'rm -rf ~\n', newText: 'x\n' };
const OTHER = { path: '/w/b.txt', oldText: '/home/u/.bashrc\n', newText: 'rm -rf ~\n' };
const BOTH = { file_path: '/w/a.txt', old_string: 'rm -rf ~', new_string: 'x' };

/** Inputs that say something else than the diffs with the same words, and the fields that say it. */
const others: Readonly<Record<string, readonly [input: object, ...fields: string[]]>> = {
  'the change turned round': [
    { file_path: '/w/a.txt', old_string: 'x', new_string: 'rm -rf ~' },
    ...['old_string', 'new_string'],
  ],
  'a path that is a line of another file': [
    { ...BOTH, file_path: '/home/u/.bashrc' },
    ...['file_path', 'old_string', 'new_string'],
  ],
  'text of another file': [
    { ...BOTH, new_string: '/home/u/.bashrc' },
    ...['old_string', 'new_string'],
  ],
  'a file written with the old text': [{ file_path: '/w/a.txt', content: 'rm -rf ~\n' }, 'content'],
  'a text taken out': [{ ...BOTH, new_string: '' }, 'old_string', 'new_string'],
  'a text twice': [{ file_path: '/w/a.txt', content: 'x\nx\n' }, 'content'],
  'a second text': [{ ...BOTH, newText: 'evil' }, 'newText'],
  'a line of a patch as a text': [{ file_path: '/w/a.txt', content: '@@ rm -rf ~' }, 'content'],
  'a note in a list of edits': [
    { file_path: '/w/a.txt', edits: [{ old_string: 'rm -rf ~', new_string: 'x', then: 'evil' }] },
    'edits',
  ],
  'an edit of another file in a list': [
    { file_path: '/w/a.txt', edits: [{ path: '/w/b.txt', oldText: 'rm -rf ~', newText: 'x' }] },
    'edits',
  ],
  'a patch turned round': [
    { patch: '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+rm -rf ~\n*** End Patch' },
    'patch',
  ],
  'a line that is in no form of patches': [
    { patch: '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-rm -rf ~\n+x\nindex 0..0 and more' },
    'patch',
  ],
  'an index of another file': [
    { patch: 'Index: /etc/passwd\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-rm -rf ~\n+x' },
    'patch',
  ],
  'a deletion': [{ changes: { '/w/a.txt': { type: 'delete' } } }, 'changes'],
  'a move': [
    {
      changes: {
        '/w/a.txt': {
          type: 'update',
          unified_diff: '@@ -1 +1 @@\n-rm -rf ~\n+x',
          move_path: '/w/b.txt',
        },
      },
    },
    'changes',
  ],
  'a text that is not read': [
    { changes: { '/w/a.txt': { type: 'add', content: 'x\n', unified_diff: 'evil' } } },
    'changes',
  ],
  'an update with a text': [
    { changes: { '/w/a.txt': { type: 'update', content: 'evil' } } },
    'changes',
  ],
};

describe('what says something else than the diffs is shown, also in their words', () => {
  for (const [what, [input, ...fields]] of Object.entries(others)) {
    test(what, () => {
      const rest = restOfInput(input, shown(input, { diffs: [SWAPPED, OTHER] }));
      assert.deepEqual(Object.keys(rest ?? {}), fields);
    });
  }

  test('a move from a file that is not named', () => {
    const changes = { '/etc/secret': { type: 'update', unified_diff: '', move_path: '/w/a.txt' } };
    const diffs = [{ path: '/w/a.txt', oldText: null, newText: '', change: 'moved' as const }];
    assert.deepEqual(restOfInput({ changes }, shown({}, { diffs })), { changes });
  });
});

describe('every field that is read as a change is hidden where the diffs show it', () => {
  const unified = '@@ -1,2 +1,2 @@\n one\n-two\n+zwei';
  for (const path of PATHS) {
    test(path, () => {
      const hidden = (fields: object) => {
        const input = { [path]: 'a.txt', ...fields };
        assert.equal(restOfInput(input, shown(input, { diffs: [DIFF] })), undefined);
      };
      for (const key of WHOLE) hidden({ [key]: 'one\nzwei\n' });
      for (const key of PATCHES) hidden({ [key]: unified });
      for (const before of BEFORE) {
        for (const after of AFTER) {
          hidden({ [before]: 'two', [after]: 'zwei' });
          hidden({ edits: [{ [before]: 'two', [after]: 'zwei' }] });
        }
      }
      for (const key of UNIFIED) {
        hidden({ changes: { '/w/a.txt': { type: 'update', [key]: unified, move_path: null } } });
      }
    });
  }
});

test('replacements are hidden exactly where they make of the old text what the diff shows', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const edit = fc.record({ old_string: word, new_string: word });
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      (before, after, edits) => {
        const [oldText, newText] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`];
        const input = { path: '/w/a.txt', edits };
        const rest = restOfInput(
          input,
          shown(input, { diffs: [{ path: '/w/a.txt', oldText, newText }] }),
        );
        const made = edits.reduce<string | undefined>(
          (text, { old_string: old, new_string: now }) =>
            text?.includes(old) ? text.replace(old, now) : undefined,
          oldText,
        );
        assert.equal(rest === undefined, made === newText);
      },
    ),
  );
});
